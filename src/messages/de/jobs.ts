import type { JOBS } from '../params/jobs.ts';
import type { TextsOf } from '../texts.ts';
import { quoted, zahl, zeilen } from './format.ts';

export const DE_JOBS: TextsOf<typeof JOBS> = {
  already_imported: () => 'Diese Datei ist schon übernommen: Es würde nichts gesendet.',
  left_out_of_public: ({ columns }) =>
    `Ausgelassen, weil alle die Sammlung sehen können: ${columns.join(', ')}`,
  kept_columns: ({ columns }) => `Als eigene Felder behalten: ${columns.join(', ')}`,
  held_for_quantity: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'wartet' : 'warten'} auf deine Entscheidung, weil es mehr Stücke gibt, als die Anzahl sagt.`,
  no_item_matches: () => 'Kein Stück passt: Es gibt nichts zu ändern.',
  template_used: ({ template }) => `Die Spalten sind die der Vorlage ${template}: Sie wird benutzt.`,
  template_matches: ({ template }) => `Die Spalten sind die der Vorlage ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Spalten wie am ${day} für diese Spaltennamen bestätigt: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' und ')} sind zusammen der Name, etwa ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} gilt nicht als ${field}, denn die Wörter passen nicht (${zahl(cells)} von ${of === 1 ? '1 Zelle' : `${zahl(of)} Zellen`}: ${texts.map(quoted).join(', ')}).`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} nennt keine Sammlung deines Teams (${texts.map(quoted).join(', ')}): Die Zeilen kommen in ${collection}, und die Spalte bleibt als eigenes Feld.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist wahrscheinlich und wird benutzt (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist nur vermutet und wird nicht benutzt (${say(reason)}).`,
  updates_own_export: () =>
    'Diese Datei ist ein Export dieses Kontos: Ihre Zeilen ändern die Stücke, deren ID sie nennen, und leere Zellen ändern nichts.',
  foreign_export: () =>
    'Diese Datei ist ein Export, und keines der Stücke, die sie nennt, gibt es in diesem Konto. Es wurde nichts gesendet.',
  could_fill_down: ({ header, rows, blank }) =>
    `${header} ist in ${zahl(blank)} von ${zeilen(rows)} leer, jedes Mal unter einer gefüllten.`,
};
