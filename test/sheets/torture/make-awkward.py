"""Workbooks of awkward cells, to be saved by LibreOffice in other formats: make-awkward.py FOLDER"""

import datetime
import sys
from pathlib import Path

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

FOLDER = Path(sys.argv[1])
ROWS = 3000
HEADERS = ["Name", "Year", "Bought", "Seen", "At", "Price", "Euros", "Share", "Kept", "Note", "Twice", "Loud", "Bad"]
TEXTS = ["Räuber", "日本のロボット", "𝄞 clef", "=not a formula", "007", "1.23E+12", "  outer  ", "two\nlines", "'quoted", "ÿĀ", "x" * 255, "é" * 256]
DATE_FORMATS = ["dd.mm.yyyy", "yyyy-mm-dd", "d mmm yy", "[$-407]d. mmmm yyyy", "mm/dd/yyyy"]
PRICE_FORMATS = ["#,##0.00 [$€-407]", '"$"#,##0.00', "[$£-809]#,##0.00;[Red]-[$£-809]#,##0.00", "0.00E+00", "General"]


def make(path, epoch=None):
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    sheet = book.active
    sheet.title = "Toys & Bären"
    sheet.append(HEADERS)
    for index in range(ROWS):
        row = index + 2
        day = datetime.datetime(1905, 1, 1) + datetime.timedelta(days=index * 37 % 60000)
        # Long texts, so that the table of texts is cut at many places within one.
        note = (TEXTS[index % len(TEXTS)] + " ") * (index % 40) if index % 3 == 0 else None
        sheet.append([
            f"{TEXTS[index % len(TEXTS)]} {index}",
            1900 + index % 120,
            day,
            day + datetime.timedelta(seconds=index * 977 % 86400),
            datetime.time(index % 24, index % 60, index % 59),
            index * 1.25 - 100 if index % 7 else index * 1_000_003,
            index / 3,
            (index % 100) / 100,
            index % 2 == 0,
            note,
            f"=B{row}*2",
            f'=A{row}&"!"',
            "=1/0" if index % 11 == 0 else '=IF(TRUE,"","")',
        ])
        sheet.cell(row, 3).number_format = DATE_FORMATS[index % len(DATE_FORMATS)]
        sheet.cell(row, 4).number_format = "yyyy-mm-dd hh:mm:ss"
        sheet.cell(row, 5).number_format = "hh:mm:ss"
        sheet.cell(row, 6).number_format = PRICE_FORMATS[index % len(PRICE_FORMATS)]
        sheet.cell(row, 7).number_format = "#,##0.00 [$€-407]"
        sheet.cell(row, 8).number_format = "0%"
    sheet.row_dimensions[9].hidden = True
    sheet.column_dimensions["J"].hidden = True
    far = book.create_sheet("Offset")
    far.merge_cells("C3:G3")
    far["C3"] = "A title"
    for column, header in enumerate(["Name", "Year", "Price"], start=4):
        far.cell(7, column, header)
        far.cell(8, column, column if column > 4 else "x")
        far.cell(60, column, column if column > 4 else "y")
    hidden = book.create_sheet("Secret")
    hidden.sheet_state = "hidden"
    hidden.append(["Name", "Year"])
    hidden.append(["z", 1999])
    book.save(path)


make(FOLDER / "awkward.xlsx")
make(FOLDER / "awkward-1904.xlsx", CALENDAR_MAC_1904)
