"""What the packages of some months must show, computed from the server's log alone. It shares no code with shelflift.

  python3 month-totals.py LOG PACKAGE...

LOG has a line of JSON for each answer of the server: {"at": ms, "item": {...}} or {"at": ms, "sales": {...}}, in order.
A package names its two readings; the state of the server at these times is replayed. Prints the problems, one a line.
"""
import csv, io, json, sys, zipfile
from collections import defaultdict
from datetime import datetime
from decimal import Decimal

OWNED = ('keep', 'sell', 'trade')
log = [json.loads(line, parse_float=Decimal) for line in open(sys.argv[1])]
problems = []


def check(package, what, found, wanted):
    if found != wanted:
        problems.append(f'{package}: {what}: {found}, expected {wanted}')


def ms(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp() * 1000


def state(at):
    items = {}
    for entry in log:
        if entry['at'] <= at and 'item' in entry:
            items[entry['item']['id']] = entry['item']
    return items


def value(item):
    found = item.get('estimated_value')
    return Decimal(0) if found is None else Decimal(found)


def place(item):
    return item['currency'].lower(), item['collection_id'].lower()


def table(archive, name):
    return list(csv.DictReader(io.StringIO(archive.read(name).decode('utf8'), newline='')))


def roll(before, after):
    """(currency, collection) -> step -> amount."""
    flows = defaultdict(lambda: defaultdict(Decimal))
    for key in before.keys() | after.keys():
        old, new = before.get(key), after.get(key)
        had, has = old is not None and old['status'] in OWNED, new is not None and new['status'] in OWNED
        if had:
            flows[place(old)]['opening'] += value(old)
        if has:
            flows[place(new)]['closing'] += value(new)
        if old is None:
            flows[place(new)]['added'] += value(new)
            if not has:
                flows[place(new)][new['status']] -= value(new)
        elif had and not has:
            flows[place(old)][new['status']] -= value(old)
        elif not had and has:
            flows[place(new)]['returned'] += value(new)
        elif had and has:
            if place(old) != place(new):
                flows[place(old)]['moved'] -= value(old)
                flows[place(new)]['moved'] += value(old)
            flows[place(new)]['revalued'] += value(new) - value(old)
    return flows


last = None
for path in sys.argv[2:]:
    archive = zipfile.ZipFile(path)
    name = path.rsplit('/', 1)[-1]
    check(name, 'damaged file', archive.testzip(), None)
    manifest = json.loads(archive.read('cover.html.manifest.json'))
    closing = state(ms(manifest['endedAt']))
    listed = {row['id']: row for row in table(archive, 'inventory.csv')}
    owned = {key: item for key, item in closing.items() if item['status'] in OWNED}
    check(name, 'items owned', sorted(listed), sorted(owned))
    for key, item in owned.items():
        shown = listed.get(key, {}).get('value')
        wanted = item.get('estimated_value')
        check(name, f'value of {key}', None if shown in (None, '') else Decimal(shown), None if wanted is None else Decimal(wanted))
    if manifest['comparedWith'] is None:
        check(name, 'tables', 'roll-forward.csv' in archive.namelist(), False)
        last = manifest['endedAt']
        continue
    check(name, 'opening reading', manifest['comparedWith'], last)
    last = manifest['endedAt']
    flows = roll(state(ms(manifest['comparedWith'])), closing)
    cover = json.loads(archive.read('roll-forward.csv.manifest.json'))
    sums = defaultdict(Decimal)
    for row in table(archive, 'roll-forward.csv'):
        currency = row.pop('currency')
        collection = row.pop('collection')
        amounts = {step: Decimal(amount) for step, amount in row.items()}
        inner = sum(amount for step, amount in amounts.items() if step not in ('opening', 'closing'))
        check(name, f'{currency} {collection} adds up', amounts['opening'] + inner, amounts['closing'])
        for step, amount in amounts.items():
            sums[currency, step] += amount
        sums[currency, 'collections'] += 1
    totals = defaultdict(Decimal)
    for (currency, collection), steps in flows.items():
        totals[currency, 'collections'] += 1
        for step, amount in steps.items():
            totals[currency, step] += amount
    for key in totals.keys() | sums.keys():
        check(name, f'{key}', sums[key], totals[key])
    for step in cover['steps']:
        check(name, f'manifest {step}', Decimal(step['value']), totals[step['currency'], step['step']])
    sold = [key for key, item in closing.items() if item['status'] == 'sold'
            and state(ms(manifest['comparedWith'])).get(key, {}).get('status') in (*OWNED, None)]
    check(name, 'items sold', sorted(row['id'] for row in table(archive, 'items-sold.csv')), sorted(sold))
    if 'sales-period.csv' in archive.namelist():
        readings = [entry['sales'] | {'at': entry['at']} for entry in log if 'sales' in entry]
        for row in table(archive, 'sales-period.csv'):
            field = next(field for field in ('gross_cents', 'fee_cents', 'refunded_cents', 'net_payout_cents')
                         if row['figure'].split()[0].lower().rstrip('s') in field)
            values = [reading[field] for reading in readings]
            opening, end = (int(Decimal(row[key]) * 100) for key in ('opening', 'closing'))
            if opening not in values or end not in values:
                problems.append(f'{name}: {field} is in no answer of the server')
                continue
            first, final = values.index(opening), len(values) - 1 - values[::-1].index(end)
            steps = [b - a for a, b in zip(values[first:final + 1], values[first + 1:final + 1])]
            check(name, f'{field} rises', int(Decimal(row['rises']) * 100), sum(step for step in steps if step > 0))
            check(name, f'{field} restated', int(Decimal(row['falls']) * 100), sum(step for step in steps if step < 0))

print('\n'.join(problems))
