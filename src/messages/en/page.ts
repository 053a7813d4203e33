import type { PAGE } from '../params/page.ts';
import type { TextsOf } from '../texts.ts';

export const EN_PAGE: TextsOf<typeof PAGE> = {
  bad_upload: () => 'The file was not received completely.',
  choose_it_again: () => 'Choose it again.',
  form_too_large: () =>
    'More than 8 MB cannot be pasted here. Save the table as a file, and choose that file.',
  no_room_for_upload: () => 'There is not enough free space on the disk for this file.',
  free_some_space: () => 'Free some space, then choose the file again.',
  no_such_upload: () => 'This file is no longer here.',
  no_file_to_open: ({ path }) => `There is no file ${path}.`,
  check_its_name: () => 'Check the name and the folder.',
  page_stopped: () => 'The operation was stopped.',
};
