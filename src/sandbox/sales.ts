/** Changing sales figures: each read of the summary, and each minute between two reads, is a step. */
import type { SalesSummary } from '../api/schemas.ts';
import { createRandom, integerBetween } from './random.ts';

/** Kept with the team as JSON text. */
export interface SalesState {
  /** undefined: nothing was ever sold, and nothing changes. */
  seed?: number;
  step: number;
  /** ms since 1970 of the last read; 0 before the first. */
  readAt: number;
  summary: SalesSummary;
}

const MINUTE_MS = 60_000;
/** A week without reads has no more steps than an hour. */
const STEPS_MAX = 60;
const STEPS_AT_START = 120;

/** The figures of a team that never sold anything. */
export function noSales(): SalesState {
  return {
    step: 0,
    readAt: 0,
    summary: {
      object: 'sales_summary',
      completed_count: 0,
      gross_cents: 0,
      fee_cents: 0,
      net_payout_cents: 0,
      refunded_cents: 0,
      refunded_count: 0,
      disputed_count: 0,
      pending_count: 0,
    },
  };
}

/** Figures with a history; the same seed repeats history and future, step by step. */
export function seededSales(seed: number): SalesState {
  return stepped({ ...noSales(), seed }, STEPS_AT_START);
}

/** The state at the next read. */
export function readSales(state: SalesState, nowMs: number): SalesState {
  const minutes = state.readAt === 0 ? 0 : Math.floor((nowMs - state.readAt) / MINUTE_MS);
  const steps = 1 + Math.min(Math.max(0, minutes), STEPS_MAX);
  return { ...stepped(state, steps), readAt: nowMs };
}

function stepped(state: SalesState, steps: number): SalesState {
  if (state.seed === undefined) return state;
  const summary = { ...state.summary };
  for (let step = state.step; step < state.step + steps; step += 1) moveOnce(summary, state.seed, step);
  return { ...state, step: state.step + steps, summary };
}

/** Up to three sales, and occasionally a refund, which lowers the net. */
function moveOnce(summary: SalesSummary, seed: number, step: number): void {
  const random = createRandom(seed * 1_000_003 + step);
  const sold = integerBetween(random, 0, 3);
  for (let sale = 0; sale < sold; sale += 1) {
    const price = integerBetween(random, 400, 18_000);
    summary.completed_count += 1;
    summary.gross_cents += price;
    summary.fee_cents += Math.round(price * 0.12) + 30;
  }
  if (step % 9 === 8) {
    summary.refunded_count = (summary.refunded_count ?? 0) + 1;
    summary.refunded_cents = (summary.refunded_cents ?? 0) + integerBetween(random, 500, 6_000);
  }
  summary.pending_count = integerBetween(random, 0, 6);
  summary.disputed_count = integerBetween(random, 0, 2);
  summary.net_payout_cents = summary.gross_cents - summary.fee_cents - (summary.refunded_cents ?? 0);
}
