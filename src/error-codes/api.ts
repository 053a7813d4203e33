/** The API. */
import type { ErrorGroup } from './entry.ts';

export const API = {
  unauthorized: {
    exit: 5,
    cause: 'The API did not accept the key (401).',
    remedy: 'Check the key: it may be mistyped, revoked, or of another service. Then resume.',
  },
  missing_scope: {
    exit: 5,
    cause: 'The key may not do this (403): it lacks a scope.',
    remedy:
      'An owner or admin adds the scope to the key in the team settings; or use another key of the team.',
  },
  limit_reached: {
    exit: 4,
    cause: "The plan's item limit is reached (403 limit_reached). Nothing is lost.",
    remedy: 'Make room or raise the plan, then: shelflift jobs resume last',
  },
  not_found: {
    exit: 2,
    cause: 'The API has nothing at this address (404).',
    remedy: 'Check the base address (without /api/public/v1), or the id.',
  },
  invalid_request: {
    exit: 2,
    cause: 'The API refused the request (400).',
    remedy: "Read the server's words in the message; check the address.",
  },
  rate_limited: {
    exit: 6,
    cause: 'The rate limit was exceeded for longer than was to be waited (429).',
    remedy: 'Try again later, or wait longer: --wait 24h',
  },
  unexpected_response: {
    exit: 6,
    cause: 'An answer came that the API does not give: a redirect, a web page, a fault of the server.',
    remedy: 'Check the address with: shelflift doctor. If it is right, try again later.',
  },
  not_this_api: {
    exit: 6,
    cause: 'Something answers at the address, but not this API.',
    remedy: 'Give the base address, without /api/public/v1.',
  },
  unreachable: {
    exit: 6,
    cause: 'The API cannot be reached: the name, the network, or its certificate.',
    remedy: 'Check the address, the network and any proxy; then resume.',
  },
  bad_certificate: {
    exit: 6,
    cause: 'The certificate of the server is not trusted here.',
    remedy:
      "Check the address. Your own organisation's certificate is trusted by NODE_EXTRA_CA_CERTS=FILE.pem.",
  },
  timeout: {
    exit: 6,
    cause: 'The API did not answer in time.',
    remedy:
      'Try again later, or give it longer: --timeout 2m. What may have been applied is looked up first.',
  },
  aborted: {
    exit: 130,
    cause: 'A request was stopped on its way.',
    remedy: 'Resume: it is looked up first.',
  },
} as const satisfies ErrorGroup;
