"""Workbooks as openpyxl and XlsxWriter make them, for torture.slow.test.ts: make-workbooks.py FOLDER"""

import datetime
import sys
from pathlib import Path

import openpyxl
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

folder = Path(sys.argv[1])
DAY = datetime.date(2020, 2, 29)
MOMENT = datetime.datetime(1999, 12, 31, 23, 59, 58)
NOON = datetime.time(12, 30)
HEADERS = ["Name", "Bar code", "Bought", "Seen", "At", "Share", "Paid", "Kept", "Twice", "Shop", "Note"]


def with_openpyxl(path, epoch=None):
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    book.active.title = "Read me"
    book.active["A1"] = "My collection"
    hidden = book.create_sheet("Secret")
    hidden.sheet_state = "hidden"
    hidden.append(["a", "b"])
    sheet = book.create_sheet("Toys")
    sheet.merge_cells("B2:F2")
    sheet["B2"] = "Toys, as of today"
    for column, header in enumerate(HEADERS, start=3):
        sheet.cell(4, column, header)
    rows = [
        ["Räuber & <Co>", "007", DAY, MOMENT, NOON, 0.125, 12.5, True, "=I5*2", "shop", "  two\nlines  "],
        ["1.23E+12", 123456789012345, None, None, None, 1, -3, False, "=1/0", None, "ok"],
    ]
    for number, row in enumerate(rows, start=5):
        for column, value in enumerate(row, start=3):
            sheet.cell(number, column, value)
        sheet.cell(number, 8).number_format = "0.00%"
        sheet.cell(number, 9).number_format = '[$-409]#,##0.00 "EUR"'
    sheet["E5"].number_format = "dd.mm.yyyy"
    sheet["F5"].number_format = "yyyy-mm-dd hh:mm:ss"
    sheet["G5"].number_format = "h:mm"
    sheet["L5"].hyperlink = "https://example.org/?a=1&b=2"
    sheet["C5"].comment = Comment("mint?", "me")
    sheet.row_dimensions[6].hidden = True
    sheet.column_dimensions["M"].hidden = True
    sheet.auto_filter.ref = "C4:M6"
    sheet.freeze_panes = "A5"
    sheet.add_data_validation(DataValidation(type="list", formula1='"a,b"', sqref="C5:C9"))
    book.save(path)


def with_write_only(path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Toys")
    sheet.append(["Name", "Year"])
    for number in range(3):
        sheet.append([f"Toy {number}", 1980 + number])
    book.save(path)


def with_table(path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Name", "Year"], ["Bear", 1999], ["Tank", 1985]]:
        sheet.append(row)
    sheet.add_table(Table(displayName="Toys", ref="A1:B3"))
    for year in ["1999", "2000"]:
        other = book.create_sheet(year)
        for row in [["year", "Name"], [int(year), f"of {year}"]]:
            other.append(row)
    book.create_sheet("Other").append(["What", "else"])
    book["Other"].append([1, 2])
    book.save(path)


def with_xlsxwriter(path, **options):
    book = xlsxwriter.Workbook(str(path), options)
    sheet = book.add_worksheet("Toys & more")
    day = book.add_format({"num_format": "d mmm yy"})
    percent = book.add_format({"num_format": 9})
    bold = book.add_format({"bold": True})
    sheet.write_row(0, 0, ["Name", "Bought", "Share", "Sum", "Rich", "Text", "Link", "Kept"])
    sheet.write_string(1, 0, "007")
    sheet.write_datetime(1, 1, datetime.datetime(2020, 2, 29), day)
    sheet.write_number(1, 2, 0.5, percent)
    sheet.write_formula(1, 3, "=1+1", None, 2)
    sheet.write_rich_string(1, 4, "plain ", bold, "bold", " ünd")
    sheet.write_string(1, 5, "=1+1")
    sheet.write_url(1, 6, "https://example.org", string="shop")
    sheet.write_boolean(1, 7, True)
    sheet.write_string(2, 0, "control \x07 and \t tab")
    sheet.write_number(2, 2, 1e-7, percent)
    sheet.write_formula(2, 3, '="a"&"b"', None, "ab")
    sheet.write_formula(2, 5, "=NA()", None, "#N/A")
    if not options.get("constant_memory"):
        sheet.set_row(2, None, None, {"hidden": True})
    book.close()


with_openpyxl(folder / "openpyxl.xlsx")
with_openpyxl(folder / "openpyxl-1904.xlsx", CALENDAR_MAC_1904)
with_write_only(folder / "openpyxl-write-only.xlsx")
with_table(folder / "openpyxl-sheets.xlsx")
with_xlsxwriter(folder / "xlsxwriter.xlsx")
with_xlsxwriter(folder / "xlsxwriter-inline.xlsx", constant_memory=True)
with_xlsxwriter(folder / "xlsxwriter-1904.xlsx", date_1904=True)
