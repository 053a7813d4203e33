/** A correction as a line of text. */
import type { Correction } from '../../../mapping/template/change.ts';
import { problemName } from '../../engine/engine-text.ts';
import { catalogue } from '../../texts.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue } from '../../words.ts';

const TEXTS = catalogue(
  {
    map: (column: string, field: string) => `Column “${column}” becomes ${field}`,
    ignore: (column: string) => `Column “${column}” is left out`,
    keep: (column: string) => `Column “${column}” is kept as a custom field`,
    word: (field: string, word: string, meaning: string) => `${field}: “${word}” means ${meaning}`,
    nothing: 'nothing',
    default: (field: string, value: string) => `${field}: ${value} where the cell is blank`,
    approximate: (field: string) => `${field}: the nearest number is read`,
    outOfRange: (field: string) => `${field}: years that the service does not accept are left blank`,
    ticked: 'Columns that say yes become tags',
    currency: (field: string, code: string) => `${field}: the currency is ${code}`,
    rates: (field: string, rates: string) => `${field}: converted with ${rates}`,
    cell: (row: string, column: string, text: string) => `Row ${row}, ${column}: ${text}`,
    blank: 'blank',
    omit: (row: string) => `Row ${row} is left out`,
    accept: (row: string) => `Row ${row} is an item`,
    item: (row: string) => `Row ${row}: an item is chosen`,
    omitReason: (problem: string) => `Rows are left out: ${problem}`,
    acceptReason: 'Rows that look like totals are items',
    template: 'Read without a template',
    condition: 'A rule sets fields of some rows',
    skip: 'A rule leaves some rows out',
    asUsual: (field: string) => `${field}: read as usual`,
    option: (field: string, option: string) => `${field}: ${option} is changed`,
    fillDown: (field: string) => `${field}: blank cells take the value above`,
    noFillDown: (field: string) => `${field}: blank cells stay blank`,
    offeredWords: (field: string) => `${field}: the likeliest meanings are used`,
  },
  {
    map: (column: string, field: string) => `Spalte „${column}“ wird zu ${field}`,
    ignore: (column: string) => `Spalte „${column}“ wird ausgelassen`,
    keep: (column: string) => `Spalte „${column}“ bleibt als eigenes Feld`,
    word: (field: string, word: string, meaning: string) => `${field}: „${word}“ bedeutet ${meaning}`,
    nothing: 'nichts',
    default: (field: string, value: string) => `${field}: ${value}, wo nichts steht`,
    approximate: (field: string) => `${field}: Die nächstliegende Zahl wird gelesen`,
    outOfRange: (field: string) => `${field}: Jahre, die der Dienst nicht annimmt, bleiben leer`,
    ticked: 'Spalten, in denen Ja steht, werden zu Schlagwörtern',
    currency: (field: string, code: string) => `${field}: Die Währung ist ${code}`,
    rates: (field: string, rates: string) => `${field}: umgerechnet mit ${rates}`,
    cell: (row: string, column: string, text: string) => `Zeile ${row}, ${column}: ${text}`,
    blank: 'leer',
    omit: (row: string) => `Zeile ${row} wird ausgelassen`,
    accept: (row: string) => `Zeile ${row} ist ein Stück`,
    item: (row: string) => `Zeile ${row}: Ein Stück ist gewählt`,
    omitReason: (problem: string) => `Zeilen werden ausgelassen: ${problem}`,
    acceptReason: 'Zeilen, die wie Summen aussehen, sind Stücke',
    template: 'Ohne Vorlage gelesen',
    condition: 'Eine Regel setzt Felder mancher Zeilen',
    skip: 'Eine Regel lässt manche Zeilen aus',
    asUsual: (field: string) => `${field}: wie üblich gelesen`,
    option: (field: string, option: string) => `${field}: ${option} ist geändert`,
    fillDown: (field: string) => `${field}: Leere Zellen nehmen den Wert darüber`,
    noFillDown: (field: string) => `${field}: Leere Zellen bleiben leer`,
    offeredWords: (field: string) => `${field}: Die wahrscheinlichsten Bedeutungen gelten`,
  },
);

export function changeText(change: Correction, visitor: Visitor): string {
  const t = TEXTS[visitor.language];
  const n = (row: number) => visitor.words.count(row);
  switch (change.type) {
    case 'map':
      return t.map(change.column, fieldName(change.field, visitor));
    case 'ignore':
    case 'keep':
      return t[change.type](change.column);
    case 'word': {
      const { field, word, means } = change;
      const meanings = typeof means === 'string' ? { [field]: means } : means;
      const texts = Object.entries(meanings).map(([name, value]) => fieldValue(name, value, visitor));
      return t.word(fieldName(field, visitor), word, texts.join(' + ') || t.nothing);
    }
    case 'default':
      return t.default(fieldName(change.field, visitor), change.value || t.nothing);
    case 'option':
      return optionText(change, visitor);
    case 'cell':
      return t.cell(n(change.row), change.column, change.text || t.blank);
    case 'omit':
    case 'accept':
    case 'item':
      return t[change.type](n(change.row));
    case 'acceptReason':
    case 'template':
      return t[change.type];
    case 'omitReason':
      return t.omitReason(problemName(change.code, visitor));
    case 'condition':
      return t.condition;
    default:
      return t.skip;
  }
}

function optionText(
  { field, option, value }: Extract<Correction, { type: 'option' }>,
  visitor: Visitor,
): string {
  const t = TEXTS[visitor.language];
  const name = fieldName(field, visitor);
  if (value === null) return t.asUsual(name);
  if (option === 'fillDown') return value === true ? t.fillDown(name) : t.noFillDown(name);
  if (option === 'offeredWords') return t.offeredWords(name);
  if (option === 'approximate' || option === 'outOfRange') return t[option](name);
  if (option === 'ticked') return t.ticked;
  if (option === 'currency' && typeof value === 'string') return t.currency(name, value.toUpperCase());
  if (option !== 'rates') return t.option(name, option);
  const rates = Object.entries(value as Record<string, unknown>);
  return t.rates(name, rates.map(([code, rate]) => `${code} ${String(rate)}`).join(', '));
}
