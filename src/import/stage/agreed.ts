import type { ImportDeps } from '../deps.ts';

/** A person's yes; false where there is nobody to ask. */
export function agreed(deps: Pick<ImportDeps, 'confirm'>, question: string): Promise<boolean> {
  return deps.confirm === undefined ? Promise.resolve(false) : deps.confirm(question);
}
