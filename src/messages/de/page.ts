import type { PAGE } from '../params/page.ts';
import type { TextsOf } from '../texts.ts';

export const DE_PAGE: TextsOf<typeof PAGE> = {
  bad_upload: () => 'Die Datei ist nicht vollständig angekommen.',
  choose_it_again: () => 'Wähle sie noch einmal.',
  form_too_large: () =>
    'Mehr als 8 MB lassen sich hier nicht einfügen. Speichere die Tabelle als Datei und wähle diese Datei.',
  no_room_for_upload: () => 'Auf der Festplatte ist für diese Datei nicht genug Platz.',
  free_some_space: () => 'Schaffe Platz und wähle die Datei noch einmal.',
  no_such_upload: () => 'Diese Datei ist nicht mehr da.',
  no_file_to_open: ({ path }) => `Die Datei ${path} gibt es nicht.`,
  check_its_name: () => 'Prüfe den Namen und den Ordner.',
  page_stopped: () => 'Der Vorgang wurde angehalten.',
};
