/** What happened to a run, for a person who was not there: what was made, what is missing, and what to do. */
import { basename } from 'node:path';
import { shellWord } from '../../shell-word.ts';
import { utcTime } from '../../words.ts';
import { fileOf, isFinal, type Run } from '../queue/run.ts';

/** @returns `reason`: why, the same for all that fails for it */
export function failureInWords(run: Run): { message: string; reason: string } {
  const open = run.artefact === undefined ? [] : (run.deliveries ?? []).filter(({ done }) => !done);
  const failing = open.filter(({ error }) => error !== undefined);
  const [first] = failing;
  if (run.artefact !== undefined && first !== undefined) {
    const { name } = run.artefact;
    const lines = failing.map(({ to, error = '' }) =>
      failing.length === 1 ? asEnd(error) : `\n- ${to}: ${asEnd(error)}`,
    );
    const to = failing.length > 1 || first.to.startsWith('folder ') ? '' : ` to ${first.to}`;
    return {
      message: `${basename(name)} was made but not delivered${to}: ${lines.join('')}\n${nextStep(run)}`,
      reason: failing.map(({ to, error }) => `${to} ${error ?? ''}`).join(' '),
    };
  }
  const { code = '', message = 'It did not say why.', remedy } = run.error ?? {};
  const what = [`${subjectOf(run)}${message}`, ...(remedy === undefined ? [] : [remedy]), nextStep(run)];
  return { message: what.join('\n'), reason: `${code} ${message}` };
}

/** Of an import by a folder: the name of its file. */
function subjectOf({ work }: Run): string {
  return work.kind === 'import' ? `${basename(fileOf(work.source))}: ` : '';
}

function nextStep(run: Run): string {
  if (run.work.kind === 'import' && 'claimed' in run.work.source)
    return isFinal(run)
      ? 'To try again: drop the file into the folder.'
      : 'It will be retried automatically.';
  const again = `shelflift jobs resume ${shellWord(run.id)}`;
  if (isFinal(run)) return `To try again: ${again}`;
  return `It will be retried automatically, next at ${utcTime(run.notBefore)}. To retry now: ${again}`;
}

/** `The folder … does not exist.` → `the folder … does not exist.` */
function asEnd(error: string): string {
  const [first = '', second = ''] = error;
  const isWord = second === second.toLowerCase() && /[a-z ]/.test(second);
  return `${isWord ? first.toLowerCase() : first}${error.slice(1)}`.replace(/\.?$/, '.');
}
