/** Errors of the API. */
import type { CodeGroup } from './entry.ts';

export const API = {
  unauthorized: {
    cause: 'The API rejected the key (401).',
    remedy:
      'Check that the key is complete, not revoked, and meant for this service. Then: shelflift jobs resume last',
  },
  missing_scope: {
    cause: 'The key lacks a scope that this command needs (403).',
    remedy:
      'Ask an owner or admin to add the scope in the team settings, or use another key of the same team.',
  },
  limit_reached: {
    cause: "The plan's item limit is reached (403 limit_reached). No row is lost.",
    remedy: 'Make room or upgrade the plan, then: shelflift jobs resume last',
  },
  not_found: {
    cause: 'The API has nothing at this address (404).',
    remedy: 'Check the id and the base address (without /api/public/v1): shelflift doctor',
  },
  invalid_request: {
    cause: 'The API rejected the request (400).',
    remedy: "Read the server's own words in the message.",
  },
  rate_limited: {
    cause: 'The API kept rejecting requests as too many (429) for longer than --wait allows.',
    remedy: 'Try again later, or wait longer: --wait 24h',
  },
  unexpected_response: {
    cause:
      'The API returned a response that its contract does not allow, such as a redirect, a web page or a server error.',
    remedy: 'Check the address: shelflift doctor. If it is right, try again later.',
  },
  fields_unknown: {
    cause:
      "The API's answer about an item lacks fields, and the list of items does not show their current values. A change could delete them.",
    remedy: 'Try again later. A new or changed item may appear in the list after some time.',
  },
  not_this_api: {
    cause: 'Something answers at the address, but it is not this API.',
    remedy: 'Give the base address without /api/public/v1, then check it: shelflift doctor',
  },
  unreachable: {
    cause: 'The API cannot be reached. The cause may be the host name, the network or the certificate.',
    remedy: 'Check the address, the network and any proxy. Then: shelflift jobs resume last',
  },
  bad_certificate: {
    cause: "The server's certificate is not trusted on this machine.",
    remedy:
      "Check the address. To trust your organisation's own certificate, set NODE_EXTRA_CA_CERTS=FILE.pem.",
  },
  timeout: {
    cause: 'The API did not answer in time.',
    remedy:
      'Try again later, or allow more time: --timeout 2m. A resumed job first looks up the rows that may have been applied.',
  },
  aborted: {
    cause: 'A request was stopped before its answer arrived.',
    remedy: 'Resume the job; it looks the item up first: shelflift jobs resume last',
  },
} as const satisfies CodeGroup;
