/** Problems of rows in plain words, by their code: every code of the engine has some. */
import { foreign, html, type Html, shownText } from './html.ts';
import type { RowCode } from '../row-catalogue.ts';
import { catalogue, type Language } from './texts.ts';
import type { Visitor } from './ui.ts';
import { fieldName } from './words.ts';

const PROBLEMS: Record<Language, Record<RowCode, string>> = catalogue(
  {
    required: 'A value is missing.',
    too_long: 'The text is too long: a name has at most 255 characters.',
    control_character: 'The text holds an invisible character.',
    broken_character: 'The text holds half a character.',
    number_lost: 'The spreadsheet program has rounded a long number and lost digits.',
    not_a_number: 'This is not an amount.',
    not_exact: 'The result cannot be sent exactly.',
    negative: 'The amount is below 0.',
    ambiguous_number: 'This number can be read in two ways. Choose the decimal mark.',
    wrong_currency: 'The amount is in another currency.',
    unclear_currency: 'The amount shows no currency, but others of its column do.',
    not_a_year: 'This is not a year.',
    out_of_range: 'The service takes years from 1968 to 2100.',
    uncertain_year: 'The year is uncertain, or covers several years.',
    two_digit_year: 'The year has only two digits.',
    unknown_word: 'This word is not known here.',
    inexact_word: 'This grade has no exact counterpart.',
    approximate_number: 'The amount is approximate, a range, or has a unit.',
    not_an_integer: 'This is not a whole number.',
    not_yes_or_no: 'This says neither yes nor no.',
    bad_quantity: 'This is not a usable quantity.',
    not_an_id: 'This is not the number of an item.',
    cell_error: 'The cell shows an error of the spreadsheet program.',
    too_many_cells: 'The row has more cells than there are columns.',
    summary_row: 'This looks like a total or a statistic, not like an item.',
    unclosed_quote: 'A quotation mark is never closed.',
    bad_encoding: 'Some letters could not be read. Choose other letters on the file screen.',
    unknown_collection: 'You have no collection of this name.',
    ambiguous_collection: 'You have several collections of this name.',
    already_sent: 'This row was brought in before.',
    sent_before: 'An equal row was brought in before, from another file.',
    row_changed: 'This row was brought in before, with other values.',
    skipped_by_rule: 'Left out on request.',
    blank_key: 'The cell that identifies the item is blank.',
    duplicate_key: 'Several rows change the same item in different ways.',
    key_changed: 'You have this item under another key by now.',
    key_not_kept: 'The service keeps the key of this item in another form.',
    surplus_items: 'You have more of these items than the quantity of this row.',
    ambiguous_match: 'Several items match this row.',
    not_a_candidate: 'The item chosen for this row is not one of those that match it.',
    no_such_item: 'There is no such item.',
    key_spelled_otherwise:
      'You have such an item, but the name of the field that identifies it differs by upper and lower case.',
    drifted: 'Somebody has changed this item since the plan was made.',
    similar: 'This looks like an item that you already have.',
    invalid_request: 'The service refused this row.',
    not_found: 'The service does not know what this row refers to.',
    unreachable: 'The connection broke before the answer came. shelflift looks up what became of it.',
    timeout: 'No answer came in time. shelflift looks up what became of it.',
    unexpected_response: 'The answer could not be understood. shelflift looks up what became of it.',
    aborted: 'Stopped before the answer came. shelflift looks up what became of it.',
    not_settled: 'No answer came. Please check whether the item exists.',
    too_many_matches: 'No answer came, and several items could be this one. Please check.',
    store_behind: 'An equal item was made elsewhere in the meantime. Please check.',
    doubtful_match: 'No answer came, and an item resembles this row. Please check.',
    list_lags: 'No answer came, and the list of items is not up to date. Please check.',
    list_never_still: 'No answer came, and the list of items changed too fast to be sure. Please check.',
    keeps_failing: 'It was sent several times and never answered. Please check whether the item exists.',
    unproven_absence: 'No answer came, and it is not certain that the item is missing. Please check.',
    no_match: 'The text does not have the form that was asked for.',
    not_clearable: 'This field cannot be emptied here.',
    cannot_clear: 'This field cannot be empty.',
    merge_conflict: 'Cells of this row belong together and disagree.',
    blank_value: 'The cell is blank.',
    other_currency: 'The item is in another currency.',
    not_missing: 'The file has this item.',
    server_merges: 'The service kept a field that should have gone.',
  },
  {
    required: 'Ein Wert fehlt.',
    too_long: 'Der Text ist zu lang: Ein Name hat höchstens 255 Zeichen.',
    control_character: 'Der Text enthält ein unsichtbares Zeichen.',
    broken_character: 'Der Text enthält ein halbes Zeichen.',
    number_lost: 'Das Tabellenprogramm hat eine lange Zahl gerundet und Ziffern verloren.',
    not_a_number: 'Das ist kein Betrag.',
    not_exact: 'Das Ergebnis lässt sich nicht genau senden.',
    negative: 'Der Betrag liegt unter 0.',
    ambiguous_number: 'Diese Zahl lässt sich auf zwei Arten lesen. Wähle das Dezimalzeichen.',
    wrong_currency: 'Der Betrag steht in einer anderen Währung.',
    unclear_currency: 'Der Betrag zeigt keine Währung, andere in seiner Spalte aber schon.',
    not_a_year: 'Das ist kein Jahr.',
    out_of_range: 'Der Dienst nimmt Jahre von 1968 bis 2100.',
    uncertain_year: 'Das Jahr ist unsicher oder umfasst mehrere Jahre.',
    two_digit_year: 'Das Jahr hat nur zwei Ziffern.',
    unknown_word: 'Dieses Wort ist hier nicht bekannt.',
    inexact_word: 'Für diese Bewertung gibt es keine genaue Entsprechung.',
    approximate_number: 'Der Betrag ist ungefähr, eine Spanne oder trägt eine Einheit.',
    not_an_integer: 'Das ist keine ganze Zahl.',
    not_yes_or_no: 'Das heißt weder Ja noch Nein.',
    bad_quantity: 'Das ist keine brauchbare Anzahl.',
    not_an_id: 'Das ist keine Nummer eines Stücks.',
    cell_error: 'Die Zelle zeigt einen Fehler des Tabellenprogramms.',
    too_many_cells: 'Die Zeile hat mehr Zellen, als es Spalten gibt.',
    summary_row: 'Das sieht nach einer Summe oder Statistik aus, nicht nach einem Stück.',
    unclosed_quote: 'Ein Anführungszeichen wird nicht geschlossen.',
    bad_encoding: 'Manche Buchstaben waren nicht lesbar. Wähle bei der Datei einen anderen Zeichensatz.',
    unknown_collection: 'Du hast keine Sammlung mit diesem Namen.',
    ambiguous_collection: 'Du hast mehrere Sammlungen mit diesem Namen.',
    already_sent: 'Diese Zeile wurde schon übernommen.',
    sent_before: 'Eine gleiche Zeile wurde schon aus einer anderen Datei übernommen.',
    row_changed: 'Diese Zeile wurde schon mit anderen Werten übernommen.',
    skipped_by_rule: 'Auf Wunsch ausgelassen.',
    blank_key: 'Die Zelle, die das Stück bezeichnet, ist leer.',
    duplicate_key: 'Mehrere Zeilen ändern dasselbe Stück unterschiedlich.',
    key_changed: 'Du hast dieses Stück inzwischen unter einem anderen Schlüssel.',
    key_not_kept: 'Der Dienst speichert den Schlüssel dieses Stücks in anderer Form.',
    surplus_items: 'Du hast mehr von diesen Stücken, als die Anzahl der Zeile sagt.',
    ambiguous_match: 'Mehrere Stücke passen zu dieser Zeile.',
    not_a_candidate: 'Das gewählte Stück ist keines von denen, die zu dieser Zeile passen.',
    no_such_item: 'Ein solches Stück gibt es nicht.',
    key_spelled_otherwise:
      'Ein solches Stück gibt es, aber sein Feld mit dem Schlüssel ist anders groß- und kleingeschrieben.',
    drifted: 'Jemand hat dieses Stück geändert, seit der Plan entstand.',
    similar: 'Das sieht aus wie ein Stück, das du schon hast.',
    invalid_request: 'Der Dienst hat diese Zeile abgelehnt.',
    not_found: 'Der Dienst kennt nicht, worauf sich diese Zeile bezieht.',
    unreachable: 'Die Verbindung brach ab, bevor die Antwort kam. shelflift schaut nach, was daraus wurde.',
    timeout: 'Es kam keine Antwort rechtzeitig. shelflift schaut nach, was daraus wurde.',
    unexpected_response: 'Die Antwort war nicht zu verstehen. shelflift schaut nach, was daraus wurde.',
    aborted: 'Angehalten, bevor die Antwort kam. shelflift schaut nach, was daraus wurde.',
    not_settled: 'Es kam keine Antwort. Bitte prüfe, ob es das Stück gibt.',
    too_many_matches: 'Es kam keine Antwort, und mehrere Stücke könnten dieses sein. Bitte prüfen.',
    store_behind: 'Ein gleiches Stück wurde inzwischen anderswo angelegt. Bitte prüfen.',
    doubtful_match: 'Es kam keine Antwort, und ein Stück ähnelt dieser Zeile. Bitte prüfen.',
    list_lags:
      'Es kam keine Antwort, und die Liste der Stücke ist nicht auf dem neuesten Stand. Bitte prüfe es.',
    list_never_still:
      'Es kam keine Antwort, und die Liste änderte sich zu schnell, um sicher zu sein. Bitte prüfen.',
    keeps_failing: 'Mehrmals gesendet und nie beantwortet. Bitte prüfe, ob es das Stück gibt.',
    unproven_absence: 'Es kam keine Antwort, und es ist nicht sicher, dass das Stück fehlt. Bitte prüfen.',
    no_match: 'Der Text hat nicht die verlangte Form.',
    not_clearable: 'Dieses Feld lässt sich hier nicht leeren.',
    cannot_clear: 'Dieses Feld darf nicht leer sein.',
    merge_conflict: 'Zellen dieser Zeile gehören zusammen und widersprechen sich.',
    blank_value: 'Die Zelle ist leer.',
    other_currency: 'Das Stück steht in einer anderen Währung.',
    not_missing: 'Die Datei enthält dieses Stück.',
    server_merges: 'Der Dienst hat ein Feld behalten, das weg sollte.',
  },
);

/** A kind of problem, as a sentence; undefined for one that only the engine can name. */
export function problemName(code: string, { language }: Pick<Visitor, 'language'>): string | undefined {
  const known: Readonly<Record<string, string>> = PROBLEMS[language];
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

/** A problem of a row as plain text; the engine's own message if it is the only one. */
export function plainProblem(issue: { code: string; message: string }, visitor: Visitor): string {
  return problemName(issue.code, visitor) ?? issue.message;
}

/** One problem of a row. The engine's own message, with what was found, is one touch away. */
export function problemText(
  issue: { code: string; message: string; column?: string },
  visitor: Visitor,
): Html {
  const name = problemName(issue.code, visitor);
  if (name === undefined) return html`<span lang="en">${foreign(issue.message, 400)}</span>`;
  const where = issue.column === undefined ? '' : html`${foreign(fieldName(issue.column, visitor), 40)}: `;
  return html`<span title="${shownText(issue.message, 400)}">${where}${name}</span>`;
}

/** What the service itself has said is shown too. */
export function problemWithWords(
  issue: { code: string; message: string; column?: string },
  visitor: Visitor,
): Html {
  return html`${problemText(issue, visitor)} <span class="soft small" lang="en">${foreign(issue.message, 300)}</span>`;
}
