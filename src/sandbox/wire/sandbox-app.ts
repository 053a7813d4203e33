import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

/** Hono over node's own request and response, which handlers write to. */
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
export type SandboxContext = Context<{ Bindings: HttpBindings }>;
