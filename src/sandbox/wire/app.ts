/** Routes methods and paths to operations. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { API_PREFIX } from '../../api/schemas.ts';
import { errorAnswer } from '../answer.ts';
import { openapiText } from '../openapi.ts';
import { type Operation, operations } from '../operations.ts';
import { addControlRoutes } from './control-routes.ts';
import type { SandboxControl } from '../control.ts';
import { exchange, unknownRoute } from './exchange.ts';
import type { SandboxApp, SandboxContext, WireContext } from './wire-context.ts';
import { send } from './send.ts';

/**
 * Hono only routes. Handlers write to Node's response themselves, because faults must cut connections. Hono treats HEAD
 * as GET; here HEAD is not an operation, because the contract has none.
 */
export function createApp(wire: WireContext, control: SandboxControl): SandboxApp {
  const app: SandboxApp = new Hono<{ Bindings: HttpBindings }>();
  const serve = (operation: Operation | undefined) => async (context: SandboxContext) => {
    const { incoming, outgoing } = context.env;
    const known = incoming.method === 'HEAD' ? undefined : operation;
    await exchange(wire, known, context.req.param('id') ?? '', incoming, outgoing);
    return RESPONSE_ALREADY_SENT;
  };
  for (const operation of Object.values(operations)) {
    const path = operation.path.replace('{id}', ':id');
    app.on(operation.method, `${API_PREFIX}${path}`, serve(operation));
  }
  app.all(`${API_PREFIX}/*`, serve(undefined));
  app.get('/openapi.json', (context) => {
    send(context.env.outgoing, { status: 200, body: openapiText() }, wire.nextRequestId());
    return RESPONSE_ALREADY_SENT;
  });
  addControlRoutes(app, wire, control);
  app.notFound((context) => {
    send(context.env.outgoing, unknownRoute(context.env.incoming), wire.nextRequestId());
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error, context) => {
    const { outgoing } = context.env;
    if (outgoing.headersSent) outgoing.destroy();
    else send(outgoing, errorAnswer(500, 'internal_error', error.message), wire.nextRequestId());
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}
