"""All values of a workbook as openpyxl reads them, as JSON: read-workbook.py FILE"""

import datetime
import json
import sys

import openpyxl


def plain(value):
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


book = openpyxl.load_workbook(sys.argv[1])
print(
    json.dumps(
        {sheet.title: [[plain(cell) for cell in row] for row in sheet.iter_rows(values_only=True)] for sheet in book}
    )
)
