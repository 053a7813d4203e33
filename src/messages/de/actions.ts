import type { ACTIONS } from '../params/actions.ts';
import type { TextsOf } from '../texts.ts';

export const DE_ACTIONS: TextsOf<typeof ACTIONS> = {
  to_read_as: ({ encoding }) => `Um es als ${encoding} zu lesen`,
  to_make_copies: () => 'Um aus einer Zeile mehrere Stücke zu machen',
  to_split_at_commas: () => 'Um an Kommas zu trennen',
  to_read_strictly: () => 'Um es selbst zu entscheiden, bevor etwas gesendet wird',
  to_read_without_it: () => 'Um die Datei ohne sie zu lesen',
  to_read_by_it: () => 'Um die Datei so zu lesen',
  to_use_it: () => 'Um sie zu benutzen',
  to_use_one_of_them: () => 'Um eine davon zu benutzen',
  to_read_it_so: () => 'Um sie so zu lesen',
  to_read_one_otherwise: () => 'Um eine anders zu lesen',
  to_fill_down: () => 'Um den Wert darüber zu nehmen, bevor etwas gesendet wird',
  to_keep: () => 'Um sie zu behalten',
  to_leave_out: () => 'Um sie auszulassen',
  to_create_rows_without_id: () => 'Um auch aus Zeilen ohne ID Stücke anzulegen',
  to_create_all_items: () => 'Um alle Stücke hier anzulegen',
  to_update_those_here: () => 'Um die zu ändern, die es hier gibt',
  to_see_them: () => 'Um sie zu sehen',
  to_read_other_sheets: () => 'Um sie zu lesen',
};
