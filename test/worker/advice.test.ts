/** What can be done, where nobody has a command line, and in mails, which name the command. */
import { expect, test } from 'vitest';
import { commandOf } from '../../src/cli/show/actions.ts';
import { english, message } from '../../src/messages/message.ts';
import type { Action } from '../../src/messages/params.ts';
import { adviceLines } from '../../src/worker/notify/advice.ts';
import { sayIn } from '../../src/worker/notify/language.ts';
import { madeEnd, withName } from '../../src/worker/tasks/end.ts';

const ACTIONS: Action[] = [
  {
    do: 'setOption',
    label: message('to_read_as', { encoding: 'cp1252' }),
    option: 'encoding',
    value: 'cp1252',
  },
  { do: 'run', label: message('to_list_layouts', {}), command: 'template list' },
  { do: 'byHand', label: message('check_path', {}) },
];

test('the note next to a file names a key of shelflift.yaml instead of a command', () => {
  expect(adviceLines(ACTIONS, english)).toEqual([
    'To read the text as cp1252: encoding: cp1252 in shelflift.yaml',
    'Check the path.',
  ]);
});

test('a mail names the command, in the language of the mail', () => {
  expect(adviceLines(ACTIONS, sayIn('de'), (action) => commandOf(action, {}))).toEqual([
    'Um den Text als cp1252 zu lesen: encoding: cp1252 in shelflift.yaml',
    'Um die mitgelieferten Layouts zu sehen: shelflift template list',
    'Prüfe den Pfad.',
  ]);
});

test('a file is reported by its original name, in the text and in the JSON', () => {
  const said = message('correct_rows_in', { file: '/spool/a "b".csv' });
  const error = { code: 'mostly_rejected', message: 'Look at /spool/a "b".csv.', said };
  expect(withName(error, '/spool/a "b".csv', '/drop/toys.csv')).toEqual({
    code: 'mostly_rejected',
    message: 'Look at /drop/toys.csv.',
    said: message('correct_rows_in', { file: '/drop/toys.csv' }),
  });
});

test('the notice of a file names all that it lacks', () => {
  const end = madeEnd({ rows: 9, leftOut: 1, notInTotals: 2, leftBlank: 3 });
  const text = end.kind === 'done' && end.notice !== undefined ? english(end.notice) : '';
  expect(text).toMatch(/1 row was left out.*The totals lack 2 values.*3 cells were left blank/);
});
