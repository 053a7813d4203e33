/** The lines that `shelflift sandbox` prints at its start: address, key and unusual settings. */
import { API_PREFIX } from '../api/schemas.ts';
import { toRateLimit } from './rate-limit-text.ts';
import type { Sandbox } from './sandbox.ts';
import { FAULT_KINDS, type SandboxOptions } from './settings.ts';
import { CONTROL_PREFIX } from './wire/control-routes.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/** A line to print at the start. */
export interface Described {
  label: Message;
  value: Message | string;
}

export function describeSandbox(sandbox: Sandbox, options: SandboxOptions): Described[] {
  const lines: Described[] = [
    { label: message('sandbox_address', {}), value: sandbox.url },
    { label: message('verbatim', { text: 'API' }), value: `${sandbox.url}${API_PREFIX}` },
    { label: message('sandbox_key', {}), value: message('opens_this_sandbox', { key: sandbox.key }) },
    {
      label: message('sandbox_control', {}),
      value: message('only_this_machine', { address: `${sandbox.url}${CONTROL_PREFIX}/state` }),
    },
    { label: message('sandbox_data', {}), value: options.dataFile ?? message('kept_in_memory', {}) },
  ];
  const { items } = sandbox.control.counts();
  for (const team of sandbox.teams) {
    const names = team.collections.map(({ name }) => name).join(', ');
    lines.push({
      label: message('sandbox_team', { id: team.id }),
      value: message('items_and_collections', { items: items[team.id] ?? 0, names }),
    });
  }
  const add = (label: Message, value: Described['value'] | undefined): void => {
    if (value !== undefined && value !== '') lines.push({ label, value });
  };
  if (options.rateLimit !== undefined) {
    const { limit, windowMs } = toRateLimit(options.rateLimit);
    const kind = `${options.limiter ?? 'fixed'}, headers ${options.headers ?? 'draft3'}`;
    const rate = message('requests_in_time', { requests: limit, seconds: windowMs / 1000, kind });
    add(message('sandbox_rate_limit', {}), rate);
  }
  const { planLimit } = options;
  add(
    message('sandbox_plan_limit', {}),
    planLimit === undefined ? undefined : message('items_of_team', { items: planLimit }),
  );
  add(message('sandbox_latency', {}), options.latencyMs ? `${options.latencyMs} ms` : undefined);
  add(message('sandbox_list_lag', {}), options.listLagMs ? `${options.listLagMs} ms` : undefined);
  add(message('sandbox_clock', {}), options.clockOffsetMs ? `${options.clockOffsetMs} ms` : undefined);
  const storing = Object.entries(options.storing ?? {}).filter(([, on]) => on);
  add(message('sandbox_storing', {}), storing.map(([name]) => name).join(', '));
  const faults = FAULT_KINDS.filter((kind) => (options.faults?.[kind] ?? 0) > 0);
  add(message('sandbox_faults', {}), faults.map((kind) => `${kind} ${options.faults?.[kind]}`).join(', '));
  return lines;
}
