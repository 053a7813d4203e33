import type { DIALOGUE } from '../params/dialogue.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted, utcTime } from './format.ts';

export const EN_DIALOGUE: TextsOf<typeof DIALOGUE> = {
  key_in_file: ({ file }) => `file ${file}`,
  key_in_variable: ({ variable }) => `variable ${variable}`,
  ask_api_address: () => 'Address of the API',
  ask_api_key: () => 'API key (not shown):',
  profile_added: ({ profile, address, key }, say) =>
    `profile ${profile}: ${address}, its key from ${say(key)}`,
  profile_is_default: ({ command }) => `It is used if no other profile is named. To check it: ${command}`,
  to_use_profile: ({ option, command }) => `To use it: ${option}, or make it the default: ${command}`,
  no_profiles_yet: ({ command }) => `There are no profiles yet. To add a profile: ${command}`,
  default_is_now: ({ profile, address }) => `The default is now ${profile}: ${address}`,
  answers_for_headers: ({ command }) =>
    `answers for files with certain headers (to forget them: ${command}):`,
  is_forgotten: ({ name }) => `Removed: ${name}.`,
  mode_and_match: ({ mode, match }) => `mode: ${mode}, items found by ${match}`,
  rows_checked: ({ read, valid, items, invalid, skipped }) =>
    `${counted(read, 'row')}: ${count(valid)} good${items === undefined ? '' : ` (${counted(items, 'item')})`}, ${count(invalid)} invalid, ${count(skipped)} skipped`,
  label_before: () => 'before',
  label_after: () => 'after',
  label_skipped: () => 'skipped',
  label_wrong: () => 'wrong',
  column_without_header: ({ letter }) => `column ${letter}`,
  template_inferred: ({ file, used, all }) =>
    `${file}: ${count(used)} of ${counted(all, 'column')} ${used === 1 ? 'is' : 'are'} used. Check the file, then run:`,
  made_for_template: ({ option }) => `${option} is made for these columns.`,
  form_without_list: ({ file, why }, say) =>
    `${file}: the collections are not known${why === undefined ? '' : ` (${say(why).replace(/\.$/, '')})`}, so the collection column has no drop-down list`,
  form_with_list: ({ file, collections }) =>
    `${file}: its drop-down list offers ${counted(collections, 'collection')}`,
  form_needs_no_template: ({ command }) =>
    `Once it is filled in, no template is needed to import it: ${command}`,
  page_already_runs: () => 'shelflift is already running.',
  page_runs: () => 'shelflift runs in your browser; Ctrl-C, or the button at the foot of the page, ends it.',
  no_browser_found: () => 'No browser was found. Open the address above in one; it works once.',
  sandbox_runs: () => 'The sandbox is running; Ctrl-C ends it.',
  in_other_terminal: () => 'In another terminal:',
  sandbox_address: () => 'address',
  sandbox_key: () => 'key',
  opens_this_sandbox: ({ key }) => `${key} (all scopes; opens this sandbox only)`,
  sandbox_control: () => 'control',
  only_this_machine: ({ address }) => `${address} (this machine only)`,
  sandbox_data: () => 'data',
  kept_in_memory: () => 'in memory, lost when the sandbox ends',
  sandbox_team: ({ id }) => `team ${id}`,
  items_and_collections: ({ items, names }) => `${counted(items, 'item')}; collections: ${names}`,
  sandbox_rate_limit: () => 'rate limit',
  requests_in_time: ({ requests, seconds, kind }) =>
    `${counted(requests, 'request')} in ${seconds} s for each key (${kind})`,
  sandbox_plan_limit: () => 'plan limit',
  items_of_team: ({ items }) => `${counted(items, 'item')} for each team`,
  sandbox_latency: () => 'latency',
  sandbox_list_lag: () => 'list lag',
  sandbox_clock: () => 'clock offset',
  sandbox_storing: () => 'storing',
  sandbox_faults: () => 'faults',
  file_queued: ({ job, file }) => `queued: ${job} (${file})`,
  to_watch_it: ({ command }) => `To watch it: ${command}`,
  output_of_other_left_out: ({ file, source }) =>
    `${file} was left out, because it is an output of ${source}, which is also named. To import it, name only that file.`,
  for_other_files: ({ option }) => `For other files like this one: ${option}`,
  recipe_replaced: ({ name, file, at }) =>
    `The previous recipe ${quoted(name)}, made for ${file} (${utcTime(at)}), read files differently. It was replaced.`,
  recipe_saved: ({ option }) => `Saved. To read the next file like this one: ${option}`,
  answers_kept_for_headers: ({ command }) =>
    `Your answers are remembered for files with these headers (${command}).`,
  ask_send_now: ({ number, areItems, left }) =>
    `Send ${counted(number, areItems ? 'item' : 'row')} now${left === 0 ? '' : ` and leave ${counted(left, 'row')} for later`}?`,
  can_be_sent_now: ({ number, areItems, left }) =>
    `${counted(number, areItems ? 'item' : 'row')} can be sent now${left === 0 ? '' : `; ${counted(left, 'row needs', 'rows need')} attention`}.`,
  answer_not_usable: ({ text }) =>
    `${JSON.stringify(text)} cannot be used here. Press Enter to decide later.`,
  choose_number_or_later: ({ choices }) => `[1-${choices}, Enter: decide later]`,
  answer_with_number: ({ choices }) => `Please answer with a number from 1 to ${choices}.`,
  yes_or_no_keys: () => '[y/N]',
  answer_yes_or_no: () => 'Please answer y or n.',
  paste_then_ctrl_d: () => 'Paste the table, then press Ctrl-D on a new line.',
  paste_then_ctrl_z: () => 'Paste the table, then press Ctrl-Z and Enter on a new line.',
  stopping_after_current: () =>
    'Stopping: requests in progress are finished first. Press Ctrl-C again to stop at once; that is also safe.',
  sign_failed: () => 'FAILED',
  sign_warning: () => 'warn',
  ask_file_password: ({ file }) => `Password of ${file}:`,
  ask_other_file_password: ({ file }) => `That password does not open the file. Password of ${file}:`,
};
