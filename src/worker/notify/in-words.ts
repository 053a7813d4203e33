/**
 * Describes a run to a person who did not watch it: the files that were written, the missing parts, and the next step.
 */
import { basename } from 'node:path';
import { ExitCode } from '../../base/exit-code.ts';
import { message, sentence } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { fileOf, isFinal, lackingTargets, type Run } from '../queue/run.ts';
import { adviceLines, type CommandOf } from './advice.ts';
import type { Told } from './notifier.ts';

/**
 * @returns `reason`: the cause, as a key that is equal in every language and for every run that fails for this reason;
 *   what is wrong with the rows of one source says nothing about another one
 */
export function failureInWords(run: Run, say: Say, command: CommandOf | undefined): Told {
  const open = run.artefact === undefined ? [] : (run.deliveries ?? []).filter(({ done }) => !done);
  const failing = open.filter(({ error }) => error !== undefined);
  const [first] = failing;
  const next = adviceOrSentence(run, say, command);
  if (run.artefact !== undefined && first !== undefined) {
    const reasons = failing.map(({ to, error = '', said, actions = [] }) => {
      const why = said === undefined ? error : say(said);
      const words = [sentence(why), ...adviceLines(actions, say, command)].join(' ');
      return failing.length === 1 ? words : `- ${to}: ${words}`;
    });
    const named = failing.length > 1 || first.to.startsWith('folder ') ? {} : { to: first.to };
    const what = say(message('made_not_delivered', { file: basename(run.artefact.name), ...named }));
    return {
      message: [
        failing.length === 1 ? `${what} ${reasons.join('')}` : `${what}\n${reasons.join('\n')}`,
        ...partlyTold(run, say),
        ...next,
      ].join('\n'),
      reason: failing.map(({ to, error }) => `${to} ${error ?? ''}`).join(' '),
      causes: failing.map(({ to, awaySince, said }) => `${to} ${causeOf(awaySince, said?.code)}`),
    };
  }
  const {
    code = '',
    message: text = say(message('no_reason_said', {})),
    remedy,
    said,
    actions,
  } = run.error ?? {};
  const advice = actions === undefined ? [remedy ?? ''] : adviceLines(actions, say, command);
  const why = said === undefined ? text : say(said);
  const what = [`${subjectOf(run)}${sentence(why)}`, ...advice, ...next].filter((line) => line !== '');
  const { work } = run;
  const file = work.kind === 'import' && isFinal(run) ? basename(fileOf(work.source)) : undefined;
  const own = run.exitCode === ExitCode.rows || (run.exitCode === ExitCode.usage && work.kind === 'import');
  const reason = `${own ? `${sourceOf(run)} ` : ''}${code} ${withoutFile(text, run)}`;
  return { message: what.join('\n'), reason, causes: [causeOf(run.awaySince, code)], file };
}

/** Outages are one cause: what a service that is down answers may change from try to try. */
function causeOf(awaySince: number | undefined, code = ''): string {
  return awaySince === undefined ? code : 'away';
}

function sourceOf({ work }: Run): string {
  if (work.kind === 'schedule') return work.schedule;
  return 'folder' in work.source ? work.source.folder : '';
}

/** One reason for all files of a folder. */
function withoutFile(text: string, { work }: Run): string {
  return work.kind === 'import' ? text.replaceAll(fileOf(work.source), '') : text;
}

/** A file of changes that some targets have is not made again for the others. */
function partlyTold(run: Run, say: Say): string[] {
  const to = lackingTargets(run);
  if (run.told === undefined || run.state !== 'parked_poison' || to === undefined) return [];
  return [say(message('changes_only_in_this_file', { to }))];
}

/** The subject of a notice; for an import by a folder, the name of its file. */
function subjectOf({ work }: Run): string {
  return work.kind === 'import' ? `${basename(fileOf(work.source))}: ` : '';
}

function adviceOrSentence(run: Run, say: Say, command: CommandOf | undefined): string[] {
  const again = (label: Action['label']): Action => ({
    do: 'run',
    label,
    command: 'jobs resume',
    args: [run.id],
  });
  if (run.work.kind === 'import' && 'claimed' in run.work.source)
    return [say(isFinal(run) ? message('to_try_file_again', {}) : message('retried_automatically', {}))];
  // The run has read its file, and would go on with it.
  if (run.state === 'failed' && run.work.kind === 'schedule' && run.fetched !== undefined) {
    const fetch = { command: 'schedule run', args: [run.work.schedule] };
    return adviceLines([{ do: 'run', label: message('to_fetch_again', {}), ...fetch }], say, command);
  }
  if (isFinal(run)) return adviceLines([again(message('to_try_again', {}))], say, command);
  return [
    say(message('retried_at', { time: run.notBefore })),
    ...adviceLines([again(message('to_retry_now', {}))], say, command),
  ];
}
