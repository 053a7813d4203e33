import type { RunKind } from './run.ts';

/** A person asks for something while another run is under way for the same job, file or screen. Nothing was started. */
export class BusyError extends Error {
  readonly kind: RunKind;
  /** Where the run can be watched. */
  readonly path: string;

  constructor(kind: RunKind, id: string) {
    super(`${id} is busy: ${kind}`);
    this.kind = kind;
    this.path = pathOf(kind, id);
  }
}

function pathOf(kind: RunKind, id: string): string {
  if (kind === 'reading') return `/file/${id}/reading`;
  if (kind === 'looking' || kind === 'reporting') return `/${id}`;
  return `/job/${id}/sending`;
}
