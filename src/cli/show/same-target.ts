import { withoutPassword } from '../../ledger/postgres/location.ts';
import { shellWord } from '../../shell-word.ts';
import type { GlobalFlags } from '../flags.ts';

/** A command that people paste, up to where the flags of its target belong. */
const COMMAND = /\bshelflift (?:jobs [a-z]+(?: last\b| \d{6}-\w+)?|(?:import|set|dupes|export [a-z]+)\b)/g;

/** Lines to paste lead to the same API and store as the command that shows them did. */
export function sameTarget(text: string, flags: GlobalFlags): string {
  const given = targetFlags(flags);
  return given === '' ? text : text.replace(COMMAND, (line) => line + given);
}

/** The flags that lead to the API and store of this call; '' if it has none. */
export function targetFlags(flags: GlobalFlags): string {
  return [
    flags.sandbox === true ? ' --sandbox' : '',
    flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`,
    flags['api-url'] === undefined ? '' : ` --api-url ${shellWord(flags['api-url'])}`,
    flags.store === undefined ? '' : ` --store ${shellWord(withoutPassword(flags.store))}`,
  ].join('');
}
