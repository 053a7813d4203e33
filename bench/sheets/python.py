"""Beside ours: python.py read-openpyxl|write-openpyxl|write-xlsxwriter FILE [ROWS]"""

import resource
import sys

what, file = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 0
headers = [f"Column {column + 1}" for column in range(12)]


def row(number):
    return [number + c / 4 if c % 3 == 0 else f"Item {number}, series {c}" for c in range(12)]


if what == "read-openpyxl":
    import openpyxl

    book = openpyxl.load_workbook(file, read_only=True)
    print(sum(len(values) for values in book.active.iter_rows(values_only=True)))
elif what == "write-openpyxl":
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    sheet.append(headers)
    for number in range(count):
        sheet.append(row(number))
    book.save(file)
else:
    import xlsxwriter

    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, headers)
    for number in range(count):
        sheet.write_row(number + 1, 0, row(number))
    book.close()
usage = resource.getrusage(resource.RUSAGE_SELF)
print(f"peak-mb={usage.ru_maxrss // 1024}\nprocessor-s={usage.ru_utime + usage.ru_stime:.2f}", file=sys.stderr)
