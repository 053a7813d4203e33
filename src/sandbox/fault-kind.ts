/** What may become of a request that passed key, rate limit and scope; FaultRates says what each does. */
export const FAULT_KINDS = [
  'dropAfterCommit',
  'dropBefore',
  'error500',
  'html502',
  'cutBody',
  'stall',
  'lateCommit',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
