/**
 * The control surface: GET /__sandbox/state, and POST of JSON to /__sandbox/teams, collections, keys, keys/revoke,
 * limits, faults and counts/reset.
 *
 * It needs no key, so only programs on this machine may use it. Other peers get the 404 of an unknown path. Requests
 * that a web page could send are rejected: those with an Origin header, or with a Host that is not a loopback name (DNS
 * rebinding).
 */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { SCOPES } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { errorAnswer, Refusal, invalid } from '../answer.ts';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { SandboxControl } from '../control.ts';
import { readBody, readJson, readRequestBody } from '../reading.ts';
import { FaultRatesForm, RateLimitForm } from '../settings.ts';
import { unknownRoute } from './exchange.ts';
import type { SandboxApp, SandboxContext, WireContext } from './wire-context.ts';
import { send } from './send.ts';
import { defined } from '../../base/defined.ts';

export const CONTROL_PREFIX = '/__sandbox';

const LOOPBACK_PEER = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

const team = z.int().min(1).optional();
const Teams = z.strictObject({ name: z.string().min(1).optional(), currency: z.string().min(1).optional() });
const Collections = z.strictObject({
  name: z.string().min(1),
  description: z.string().nullable().optional(),
  isPublic: z.boolean().optional(),
  team,
});
const Keys = z.strictObject({ scopes: z.array(z.enum(SCOPES)).optional(), team });
const Revocation = z.strictObject({ key: z.string() });
/** Only the given settings change; null removes a limit. */
const Limits = z.strictObject({
  rateLimit: z.union([z.string(), RateLimitForm]).nullable().optional(),
  planLimit: z.int().min(0).nullable().optional(),
  latencyMs: z.number().min(0).optional(),
});

export function addControlRoutes(app: SandboxApp, wire: WireContext, control: SandboxControl): void {
  const { state } = wire;
  const overview = () => ({
    ...control.counts(),
    teams: state.teams.all().map(({ id, name, keys, collections }) => ({ id, name, keys, collections })),
    rateLimit: state.gate.rate ?? null,
    planLimit: state.planLimit ?? null,
    latencyMs: state.latencyMs,
    faults: state.faults.rates,
  });
  const post = <T>(path: string, schema: z.ZodType<T>, act: (body: T) => unknown): void => {
    app.post(`${CONTROL_PREFIX}${path}`, (context) =>
      answer(wire, context, async (incoming) => {
        const bytes = await readRequestBody(incoming);
        return act(readBody(schema, readJson(incoming.headers['content-type'], bytes)));
      }),
    );
  };

  app.get(`${CONTROL_PREFIX}/state`, (context) => answer(wire, context, async () => overview()));
  post('/teams', Teams, ({ name, currency }) => {
    const { id, keys, collections } = control.addTeam({
      ...defined({ name, currency }),
    });
    return { id, keys, collections };
  });
  post('/collections', Collections, ({ name, description = null, isPublic = false, team = 1 }) =>
    control.addCollection(name, { description, isPublic, team }),
  );
  post('/keys', Keys, ({ scopes, team }) => control.addKey(scopes, team));
  post('/keys/revoke', Revocation, ({ key }) => ({ revoked: control.revokeKey(key) }));
  post('/limits', Limits, ({ rateLimit, planLimit, latencyMs }) => {
    if (rateLimit !== undefined) control.setRateLimit(rateLimit);
    if (planLimit !== undefined) control.setPlanLimit(planLimit);
    if (latencyMs !== undefined) control.setLatency(latencyMs);
    return overview();
  });
  post('/faults', FaultRatesForm, (rates) => {
    control.setFaults(rates);
    return overview();
  });
  post('/counts/reset', z.strictObject({}), () => {
    control.resetCounts();
    return overview();
  });
}

async function answer(
  wire: WireContext,
  context: SandboxContext,
  act: (incoming: IncomingMessage) => Promise<unknown>,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const requestId = wire.nextRequestId();
  if (!LOOPBACK_PEER.test(incoming.socket.remoteAddress ?? '')) {
    send(outgoing, unknownRoute(incoming), requestId);
  } else if (incoming.headers.origin !== undefined || !LOOPBACK_HOST.test(incoming.headers.host ?? '')) {
    send(outgoing, errorAnswer(403, 'forbidden', 'The control surface is not for web pages.'), requestId);
  } else {
    try {
      send(outgoing, { status: 200, body: JSON.stringify(await act(incoming)) }, requestId);
    } catch (error) {
      const refusal =
        error instanceof UsageError || error instanceof RangeError ? invalid(error.message) : error;
      if (!(refusal instanceof Refusal)) throw refusal;
      send(outgoing, refusal.toAnswer(), requestId);
    }
  }
  return RESPONSE_ALREADY_SENT;
}
