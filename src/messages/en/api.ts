import type { API } from '../params/api.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, duration, quoted } from './format.ts';

export const EN_API: TextsOf<typeof API> = {
  not_an_address: ({ text }) => `${quoted(text)} is not an address.`,
  address_without_https: ({ protocol }) => `The address begins with ${quoted(protocol)}; expected https:.`,
  address_with_password: () => 'The address contains a user name or password.',
  address_with_query: () => 'The address contains a query or a fragment.',
  give_base_address: () =>
    'Give the base address, such as https://inventory.example.com (without /api/public/v1).',
  insecure_address: ({ host }) =>
    `http:// would send the key to ${host} unencrypted. shelflift accepts http only for this machine.`,
  use_https: ({ host }) => `Use https://${host} instead.`,
  request_stopped: ({ request }) => `${request} was stopped before its answer arrived.`,
  request_not_sent: ({ request }) => `${request} was not sent.`,
  unreachable: ({ address, why }) => `${address} cannot be reached: ${why}.`,
  check_address_and_network: () => 'Check the address, the network and any proxy.',
  trust_certificate: () =>
    "Check the address. To trust your organisation's own certificate, set NODE_EXTRA_CA_CERTS=FILE.pem.",
  no_answer_within: ({ request, seconds }) => `${request}: no answer within ${seconds} s.`,
  answer_cut_off: ({ request, status, why }) =>
    `${request}: the answer (status ${status}) was cut off: ${why}.`,
  connection_broke: ({ request, why }) => `${request}: the connection was lost: ${why}.`,
  key_empty: () => 'The API key is empty.',
  bad_key: () => 'The API key contains characters that no key has, such as a space, a line break or a quote.',
  copy_key_again: () => 'Copy the key again, without "Bearer" and without quotes.',
  answer_unreadable: ({ request, status, why }, say) =>
    `${request} returned status ${status}, but its answer cannot be read. ${say(why)}`,
  answer_no_json: ({ found }) => `It is not JSON: ${shown(found)}.`,
  answer_misfits: ({ path, problem }, say) => `${path}: ${say(problem)}.`,
  item_fields_unknown: ({ item, fields }) =>
    `The API leaves ${fields.join(', ')} out of its answer about item ${item}, and its list does not show the current state of the item. A change could delete these fields.`,
  api_rejects: ({ words }) => `The API rejected the request${after(words)}`,
  unauthorized: ({ words }) => `The API key was not accepted${after(words)}`,
  check_key_sent: () =>
    'Check SHELFLIFT_API_KEY or the key file. The key may contain a typing error, may have been revoked, or may belong to another service.',
  plan_limit_reached: ({ words }) => `The plan's item limit is reached${after(words)}`,
  missing_scope: ({ request, words }) => `The API key is not allowed to ${request}${after(words)}`,
  give_scope: ({ scope }) => `Give the key the scope ${scope}, or use another key of the same team.`,
  not_found: ({ request, words }) => `${request}: not found${after(words)}`,
  check_base_address: ({ address }) =>
    `Check the address ${address}. Give the base address, without /api/public/v1.`,
  rate_limited: ({ words }) => `The rate limit was exceeded${after(words)}`,
  unexpected_status: ({ request, status, why }, say) =>
    `${request} returned the unexpected status ${status}. ${say(why)}`,
  answer_redirects: ({ host }) =>
    `It redirects${host === undefined ? '' : ` to ${host}`}. Redirects are never followed with a key.`,
  answer_is: ({ found }) => `The answer is ${shown(found)}.`,
  to_check_address: () => 'Check the address',
  service_has_problem: () =>
    'If the address is right, the service has a problem at the moment. Try again later.',
  connection_from: ({ address, key }) => `address from ${address}, key from ${key}`,
  address_answers: ({ address, took }) => `${address} answers in ${took} ms`,
  not_this_api: ({ address, why }, say) => `${address} answers, but it is not this API: ${say(why)}`,
  tls_not_needed: () => 'not needed: the address is on this machine',
  no_certificate: () => 'the server presented no certificate',
  certificate_until: ({ protocol, day }) => `${protocol}, certificate valid until ${day}`,
  tell_of_certificate: () => 'Tell the service that its certificate expires soon.',
  no_connection: () => 'there was no connection',
  not_known_yet: () => 'not known until the API has answered a request',
  key_accepted: () => 'accepted',
  not_asked: () => 'not checked',
  scope_granted: () => 'granted',
  scope_lacking: () => 'the key lacks this scope',
  without_items_read: () =>
    'Without this scope, shelflift cannot export or update items, or look up a row whose response was lost.',
  without_collections_read: () => 'Without this scope, collections can only be named by id.',
  without_marketplace_read: () => 'Without this scope, there are no exports of listings.',
  without_analytics_read: () => 'Without this scope, there are no sales totals.',
  ask_for_scope: () => 'An owner or admin can add the scope to the key in the team settings.',
  try_after_limit: () => 'The rate limit was reached: try again later.',
  ask_service: () => 'Try again. If the problem persists, contact the service and give the request id.',
  write_not_probed: () =>
    'cannot be checked without writing: the first row of an import shows whether the key may write',
  to_send_one_row: () => 'To send one row',
  no_date_header: () => 'the API sent no Date header',
  clock_apart: ({ apart, isBehind }) =>
    `this machine is ${duration(apart)} ${isBehind ? 'behind' : 'ahead of'} the API`,
  set_clock: () => 'Imports do not depend on the clock, but times in reports do. Set the clock.',
  no_rate_headers: () => 'no headers seen: the pace is derived only from "rate limit exceeded" answers',
  rate_reading: ({ limit, window, left, full, wait }) =>
    [
      limit === undefined
        ? undefined
        : `${counted(limit, 'request')}${window === undefined ? '' : ` in ${duration(window)}`}`,
      left === undefined ? undefined : `${count(left)} left`,
      full === undefined ? undefined : `full again in ${duration(full)}`,
      wait === undefined ? undefined : `asked to wait ${duration(wait)}`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  request_stopped_early: () => 'The request was stopped before it was sent.',
};

/** The server's own words, if there are any. */
function after(words: string | undefined): string {
  return words === undefined ? '.' : `: ${words}`;
}

function shown(found: string): string {
  return found === '' ? 'empty' : quoted(found);
}
