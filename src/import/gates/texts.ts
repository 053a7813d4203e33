/** What people read of a gate. */
import { count, counted } from '../../counted.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { Gate, GateParams } from './gate.ts';

export interface GateText {
  /** A sentence without its full stop. */
  what: string;
  /** For a person at a terminal; absent if only a flag can answer. */
  question?: string;
  /** Answers it on the command that sends; absent if the plan must change. */
  flag?: string;
  /** Where nobody has agreed. */
  remedy: string;
}

type Texts = { [Code in keyof GateParams]: (params: GateParams[Code], job: Commands) => GateText };

/** The commands of a job. */
interface Commands {
  id: string;
  show: string;
  go: string;
}

const TEXTS: Texts = {
  too_many_missing: ({ items, of, most }, { show, go }) => {
    // Rounded up: a limit of this share lets the items through.
    const percent = `${Math.ceil((items * 1000) / Math.max(of, 1)) / 10}%`;
    const flag = `--max-missing ${percent}`;
    return {
      flag,
      what: `${count(items)} of ${counted(of, 'item')} (${percent}) would be archived because the file does not have them, more than ${most}`,
      remedy: `Look at them: ${show}. If the file is complete: ${go} ${flag}`,
    };
  },
  missing_unsafe: ({ why }, { id }) => ({
    what: `With --missing archive, nothing is sent while ${why}`,
    remedy: `Mend the rows (shelflift jobs mend ${id}), or give the whole file. Or import it without --missing.`,
  }),
  repeated_change: ({ job, items, of }) => {
    const which = items === of ? 'the same items' : `${items} of ${counted(of, 'item')}`;
    return {
      ...asking(
        `Job ${job} made the same change of ${which} less than 24 hours ago`,
        'Make it a second time?',
      ),
      remedy: `To make it a second time, add --yes. To take the first one back: shelflift jobs undo ${job}`,
    };
  },
  not_confirmed: ({ changes, areCreates, what, at }) => ({
    what: 'The undo was not confirmed',
    question: `Undo ${counted(changes, areCreates ? 'creation' : 'change')} of '${what}', ${localTime(at)}?`,
    remedy: 'To undo another job, find it with: shelflift jobs list',
  }),
  undo_grew: ({ undoes, rows }, { show, go }) => ({
    ...asking(
      `Job ${undoes} has written ${counted(rows, 'more row', 'more rows')} since this undo was planned`,
      'Take them back, too?',
    ),
    remedy: `They are in its plan now. To look at it: ${show}. To send it: ${go}`,
  }),
  too_many_changes: (params, job) => {
    const items = counted(params.items, 'item');
    const percent = 'of' in params ? Math.floor((params.items * 100) / params.of) : 0;
    return 'of' in params
      ? {
          ...asking(
            `The selection takes ${count(params.items)} of ${counted(params.of, 'item')} (${percent}%)`,
          ),
          remedy: review(job),
        }
      : {
          ...asking(`${items} would be changed, more than ${params.most}`),
          remedy: `${review(job)} (or a larger --max-changes)`,
        };
  },
  field_emptied: ({ items, field }, job) => ({
    ...asking(`${field} would be emptied in ${counted(items, 'item')}`),
    remedy: review(job),
  }),
  similar_items: ({ rows, item }, { show, go }) => {
    const flag = '--similar skip (or --similar create)';
    return {
      ...asking(
        `${counted(rows, 'row looks like an existing item', 'rows look like existing items')} (for example ${item})`,
        'Create them anyway?',
      ),
      flag,
      remedy: `Review them: ${show}. Then: ${go} ${flag}`,
    };
  },
  key_not_kept: (_, { go }) => ({
    ...asking(
      'The server keeps the keys of --match in another form than they were sent, so a later import would not find the items by them',
      'Send the other rows all the same?',
    ),
    remedy: `Match by a field that the server keeps as it is, or write the keys as the server keeps them. To go on all the same: ${go} ${YES}`,
  }),
  own_export: ({ item }) => ({
    ...asking(
      `This file is an export of items that already exist (such as ${item})`,
      'Create all of them again?',
    ),
    remedy: 'To update the items, leave --mode out. To create every item again: --yes.',
  }),
};

export function textOf({ code, params }: Gate, { id, firstSentAt }: JobRecord): GateText {
  const commands = {
    id,
    show: `shelflift jobs show ${id} --changes`,
    go: `shelflift jobs ${firstSentAt === undefined ? 'apply' : 'resume'} ${id}`,
  };
  // The code tells the parameters, which TypeScript does not follow.
  return (TEXTS[code] as (params: Gate['params'], job: Commands) => GateText)(params, commands);
}

function asking(what: string, question = 'Continue?') {
  return { what, question: `${what}. ${question}`, flag: YES };
}

const YES = '--yes';

function review({ show, go }: Commands): string {
  return `Look at the plan: ${show}. To send it: ${go} ${YES}`;
}

/** The time of today, or date and time, where the user is. */
function localTime(ms: number): string {
  const [date, time] = new Date(ms).toLocaleString('sv-SE').split(' ');
  const [today] = new Date().toLocaleString('sv-SE').split(' ');
  return `${date === today ? '' : `${date ?? ''} `}${time?.slice(0, 5) ?? ''}`;
}
