/**
 * What the engine notes about a file, in German: of each sentence its English form with `{}` for what varies, and the
 * same in German, where `{1}` is the first of those. `{*}` is a part that is such a sentence itself.
 *
 * The engine keeps its one text; what has no German yet is shown in English, and marked as English. A test reads all
 * samples and fails on any sentence that is not here.
 */
const NOTES: readonly (readonly [english: string, german: string])[] = [
  // How a file is read (sheets).
  ['header in row {}', 'Spaltennamen in Zeile {1}'],
  ['header in rows {} and {}', 'Spaltennamen in den Zeilen {1} und {2}'],
  ['no header', 'ohne Spaltennamen'],
  ['sheet "{}"', 'Blatt „{1}“'],
  ['decimal comma', 'Dezimalkomma'],
  ['decimal point', 'Dezimalpunkt'],
  ['decimal comma and point', 'Dezimalkomma und -punkt'],
  ['tab', 'Tabulator'],
  ['{} fields', '{1} Felder'],
  ['column {} has data but no header', 'Spalte {1} hat Werte, aber keinen Namen'],
  ['header "{}" is in columns {}', 'Der Name „{1}“ steht in den Spalten {2}'],
  [
    'the block beside the table, before column {}, is not read',
    'Der Block neben der Tabelle, vor Spalte {1}, wird nicht gelesen',
  ],
  [
    'the block beside the table, from column {} on, is not read',
    'Der Block neben der Tabelle, ab Spalte {1}, wird nicht gelesen',
  ],
  ['hidden rows were read too: {}', 'Ausgeblendete Zeilen wurden mitgelesen: {1}'],
  ['hidden columns were read too: {}', 'Ausgeblendete Spalten wurden mitgelesen: {1}'],
  ['sheets with other columns were left out: {}', 'Blätter mit anderen Spalten wurden ausgelassen: {1}'],
  [
    'the first accents come late in the file and are not UTF-8: they are read as {}',
    'Die ersten Umlaute kommen spät in der Datei und sind nicht UTF-8: Sie werden als {1} gelesen',
  ],
  [
    '{} row has quotes that are not written as CSV asks (the first in line {}): quotes around a whole cell were removed, others are read as text',
    '{1} Zeile hat ungewöhnliche Anführungszeichen (die erste ist Zeile {2}): Um eine ganze Zelle wurden sie entfernt, sonst gelten sie als Text',
  ],
  [
    '{} rows have quotes that are not written as CSV asks (the first in line {}): quotes around a whole cell were removed, others are read as text',
    '{1} Zeilen haben ungewöhnliche Anführungszeichen (die erste ist Zeile {2}): Um eine ganze Zelle wurden sie entfernt, sonst gelten sie als Text',
  ],
  [
    'The text may be {} or {}, and is read as {}. Check the accented letters. To read it as {}: --encoding {}.',
    'Der Text ist als {3} gelesen und könnte auch {2} sein. Prüfe die Umlaute; sonst wähle oben {4}.',
  ],
  // Why a column is what it is (mapping).
  ['{*}; {*}', '{1}; {2}'],
  ['by name', 'am Namen erkannt'],
  [
    'not used without --map "quantity={}", which makes several items of one row',
    'nicht benutzt; als Anzahl gewählt, macht sie aus einer Zeile mehrere Stücke',
  ],
  ['synonym "{}"', 'bekanntes Wort: „{1}“'],
  ['--map', 'von dir gewählt'],
  ['--match', 'erkennt das Stück'],
  ['only for matching', 'erkennt nur das Stück'],
  ['not known', 'nicht bekannt'],
  ['no header', 'ohne Namen'],
  ['read-only', 'setzt nur der Dienst'],
  [
    'looks like a password, an access token or a payment card number',
    'sieht nach Passwort, Zugangsschlüssel oder Nummer einer Zahlungskarte aus',
  ],
  ['kept as a custom field', 'bleibt als eigenes Feld'],
  ['chosen', 'gewählt'],
  ['template', 'aus der Vorlage'],
  ['template says ignore', 'lässt die Vorlage aus'],
  ['template: says which rows are skipped', 'sagt der Vorlage, welche Zeilen sie auslässt'],
  ['template: decides {}', 'bestimmt in der Vorlage: {1}'],
  ['template {}', 'aus der Vorlage {1}'],
  ['not a key that a custom field can have', 'kein möglicher Name eines eigenen Feldes'],
  ['its values contradict its header', 'die Werte passen nicht zum Namen'],
  [
    'ids are given by the service; used with --mode update or upsert',
    'Nummern vergibt der Dienst; sie zählen nur beim Ändern',
  ],
  ['the header points to it, and {*}', 'der Name deutet darauf, und {1}'],
  ['hundredths (1250 is 12.50), and {*}', 'Hundertstel (1250 ist 12,50), und {1}'],
  ['the header may also mean what was paid, and {*}', 'der Name könnte auch den Kaufpreis meinen, und {1}'],
  ['{*}; but {}', '{1}; aber {2}'],
  ['{*}, {} of them approximate', '{1}, {2} davon ungefähr'],
  ['all {} filled cells are {*}', 'alle {1} gefüllten Zellen sind {2}'],
  ['{} of {} filled cells are {*}', '{1} von {2} gefüllten Zellen sind {3}'],
  ['{} different texts in {} cells', '{1} verschiedene Texte in {2} Zellen'],
  ['{} different text in {} cells', '{1} Text in {2} Zellen'],
  ['{} different text in {} cell', '{1} Text in {2} Zelle'],
  ['years', 'Jahre'],
  ['dates with a year', 'Daten mit einem Jahr'],
  ['amounts', 'Beträge'],
  ['amounts, with a currency', 'Beträge mit Währung'],
  ['yes or no', 'Ja oder Nein'],
  ['yes or no, read as in_package or loose', 'Ja oder Nein, gelesen als „verpackt“ oder „lose“'],
  ['words of grading', 'Wörter für Bewertungen'],
  ['words of condition', 'Wörter für den Zustand'],
  ['words of status', 'Wörter für den Status'],
  ['words of packaging', 'Wörter für die Verpackung'],
  [
    'a tag where it is ticked: its one cell says yes or no',
    'Schlagwort, wo es angekreuzt ist: Die eine Zelle sagt Ja oder Nein',
  ],
  [
    'a tag where it is ticked: all {} cells say yes or no',
    'Schlagwort, wo es angekreuzt ist: Alle {1} Zellen sagen Ja oder Nein',
  ],
  // What was done to a row's cells.
  ['{} filled down: {}', '{1} von oben übernommen: {2}'],
  ['{} corrected from {} to {}', '{1} verbessert von {2} zu {3}'],
  [
    'taken as an item, although it looks like a figure about the table',
    'als Stück übernommen, obwohl die Zeile wie eine Angabe über die Tabelle aussieht',
  ],
  ['{} read as {}', '{1} gelesen als {2}'],
  // What was noticed about whole columns.
  [
    '{} ({}): {} cells with commas are each one tag, such as {}, because tags are split at ; and |. To split at commas: {}',
    'Spalte {1} ({2}): {3} Zellen mit Kommas sind je ein Schlagwort, etwa {4}; getrennt wird an ; und |.',
  ],
  [
    '{} ({}): 1 cell with a comma is one tag, such as {}, because tags are split at ; and |. To split at commas: {}',
    'Spalte {1} ({2}): Eine Zelle mit Komma ist ein Schlagwort, {3}; getrennt wird an ; und |.',
  ],
  // Warnings of a run.
  [
    'Job {} has already imported this file: an import would send nothing.',
    'Diese Datei ist schon übernommen: Es würde nichts gesendet.',
  ],
  [
    '{} that nothing maps ({}) is left out, because everybody can see the collection; --keep-unknown keeps it.',
    'Ausgelassen, weil alle die Sammlung sehen können: {2}',
  ],
  [
    '{} that nothing maps ({}) are left out, because everybody can see the collection; --keep-unknown keeps them.',
    'Ausgelassen, weil alle die Sammlung sehen können: {2}',
  ],
  [
    '{} held, because more items have the same {} than the quantity says. See them: shelflift jobs show {}',
    'Manche Zeilen warten auf dich, weil es mehr Stücke gibt, als ihre Anzahl sagt.',
  ],
  ['No item matches: there is nothing to change.', 'Kein Stück passt: Es gibt nichts zu ändern.'],
];

interface Pattern {
  english: RegExp;
  /** Of each part that varies: whether it has to be a sentence itself. */
  isSentence: boolean[];
  german: string;
}

const PARTS = /\{\*?\}/;

const PATTERNS: readonly Pattern[] = NOTES.map(([english, german]) => ({
  english: new RegExp(`^${english.split(PARTS).map(escaped).join('(.+?)')}$`, 's'),
  isSentence: [...english.matchAll(new RegExp(PARTS, 'g'))].map(([part]) => part === '{*}'),
  german,
}));

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** The sentence in German; undefined if it has none yet. */
export function germanNote(english: string): string | undefined {
  // How a file was read is said in parts.
  const parts = english.split(' · ');
  if (parts.length > 1) return parts.map((part) => germanNote(part) ?? part).join(' · ');
  for (const { english: pattern, isSentence, german } of PATTERNS) {
    const found = pattern.exec(english)?.slice(1);
    const inGerman = found?.map((part, at) => (isSentence[at] === true ? germanNote(part) : part));
    if (inGerman === undefined || inGerman.includes(undefined)) continue;
    return german.replaceAll(/\{(\d)\}/g, (_, number: string) => inGerman[Number(number) - 1] ?? '');
  }
  return undefined;
}
