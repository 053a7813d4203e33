/** How rows that wait for a person are shown, with what tells their candidates apart. */
import { german } from '../../src/messages/german.ts';
import { english, message } from '../../src/messages/message.ts';
import { expect, it, onTestFinished } from 'vitest';
import { undecidedText } from '../../src/cli/show/output.ts';
import { speakIn } from '../../src/cli/show/say.ts';

const job = '261123-0a1b2c3d';

it('undecided rows show name, value, status and age of each candidate, and the commands', () => {
  const candidate = { status: 'keep', currency: 'eur', created_at: '2026-01-01T12:00:00Z' };
  const text = undecidedText(
    {
      rows: [
        {
          row: 3,
          sheet: 'Toys',
          state: 'held',
          code: 'doubtful_match',
          message: 'the item may or may not have been created',
          candidates: [
            {
              id: 'a',
              name: 'Robot\u001b[2J',
              estimated_value: 12.5,
              ...candidate,
              action: {
                do: 'resolve',
                job,
                row: 3,
                options: { as: 'created:a' },
                label: message('to_take_candidate', {}),
              },
            },
            {
              id: 'b',
              name: 'Rover',
              estimated_value: null,
              ...candidate,
              created_at: '2026-01-04T09:00:00Z',
            },
          ],
          otherwise: [
            { do: 'resolve', job, row: 3, options: { as: 'skip' }, label: message('to_leave_row', {}) },
          ],
        },
      ],
      more: true,
    },
    job,
    { sandbox: true },
    Date.parse('2026-01-04T12:00:00Z'),
  );
  expect(text.split('\n')).toEqual([
    '  to decide:',
    '  row 3 of Toys (held): the item may or may not have been created',
    '    a  Robot [2J, 12.5 EUR, keep, created 3 days ago',
    '      this is the item that belongs to the row: shelflift jobs resolve 261123-0a1b2c3d --sandbox --row 3 --as created:a',
    '    b  Rover, no value, keep, created 3 hours ago',
    '    leave the row out: shelflift jobs resolve 261123-0a1b2c3d --sandbox --row 3 --as skip',
    '  More rows are held. To list them all: shelflift jobs show 261123-0a1b2c3d --sandbox --changes',
  ]);
});

it('undecided rows give the reason in the language of the terminal', async () => {
  await speakIn('de');
  onTestFinished(() => speakIn('en'));
  const why = message('perhaps_created', { why: message('looks_like_it', {}), candidates: [], more: false });
  const row = {
    row: 3,
    state: 'held' as const,
    code: 'doubtful_match' as const,
    message: english(why),
    text: why.code,
    params: why.params,
    candidates: [],
    otherwise: [],
  };
  expect(undecidedText({ rows: [row], more: false }, job, {})).toContain(german(why));
});
