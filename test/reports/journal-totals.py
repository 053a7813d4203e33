"""What the journals of some months must hold, computed from the server's log alone. It shares no code with shelflift.

  python3 journal-totals.py LOG JOURNAL...

LOG has a line of JSON for each answer of the server: {"at": ms, "item": {...}}, and {"collection": {...}}. A journal is a
.csv with semicolons and decimal commas, or an .xlsx, with its manifest beside it. Prints the problems, one a line.
"""
import csv, json, sys, zipfile
from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

ACCOUNTS = {'Main': ('8400', '3'), 'Books': ('8300', '2')}
log = [json.loads(line, parse_float=Decimal) for line in open(sys.argv[1])]
collections = {entry['collection']['id']: entry['collection']['name'] for entry in log if 'collection' in entry}
problems = []


def time(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00'))


def state(at):
    return {entry['item']['id']: entry['item'] for entry in log
            if 'item' in entry and entry['at'] <= at.timestamp() * 1000}


def rows_of(path):
    if path.endswith('.csv'):
        return list(csv.reader(open(path, encoding='utf8', newline=''), delimiter=';'))
    archive = zipfile.ZipFile(path)
    space = {'s': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'}
    parts = archive.namelist()
    shared = [''.join(each.itertext()) for each in
              ElementTree.fromstring(archive.read('xl/sharedStrings.xml')).findall('s:si', space)
              ] if 'xl/sharedStrings.xml' in parts else []
    sheet = ElementTree.fromstring(archive.read('xl/worksheets/sheet1.xml'))
    table = []
    for row in sheet.iter('{%s}row' % space['s']):
        cells = {}
        for cell in row.findall('s:c', space):
            column = cell.get('r').rstrip('0123456789')
            text = ''.join(cell.find('s:is', space).itertext()) if cell.get('t') == 'inlineStr' else cell.findtext('s:v', '', space)
            cells[column] = shared[int(text)] if cell.get('t') == 's' else text
        table.append([cells.get(column, '') for column in 'ABCDEFG'])
    return table


sold_before = defaultdict(Decimal)
for path in sys.argv[2:]:
    name = path.rsplit('/', 1)[-1]
    manifest = json.load(open(path + '.manifest.json'))
    header, *lines = rows_of(path)
    now = state(time(manifest['endedAt']))
    since = manifest['changes']['since']
    before = now if since is None else state(time(since))
    wanted = []
    for key, item in now.items():
        if item['status'] != 'sold' or before.get(key, {}).get('status') == 'sold':
            continue
        account, tax = ACCOUNTS[collections[item['collection_id']]]
        day = time(manifest['endedAt']).astimezone(ZoneInfo('UTC')).strftime('%d.%m.%Y')
        wanted.append([day, key, '1200', account, tax, Decimal(item['custom_fields']['sold_price']), item['currency'].upper()])
    found = [[*line[:5], Decimal(line[5].replace(',', '.')), line[6]] for line in lines]
    if sorted(found) != sorted(wanted):
        problems.append(f'{name}: {sorted(found)}, expected {sorted(wanted)}')
    totals = defaultdict(Decimal)
    for line in wanted:
        totals[line[6].lower()] += line[5]
    shown = {currency: Decimal(total) for each in manifest.get('amounts', []) for currency, total in each['totals'].items()}
    if shown != dict(totals):
        problems.append(f'{name}: totals of the manifest {shown}, expected {dict(totals)}')

print('\n'.join(problems))
