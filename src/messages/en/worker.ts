import type { WORKER } from '../params/worker.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, list, utcTime } from './format.ts';

export const EN_WORKER: TextsOf<typeof WORKER> = {
  worker_ends: () => 'The worker is stopping.',
  worker_asked_to_stop: () => 'The worker was asked to stop.',
  claim_replaced: ({ file }) => `${file} is no longer the file that was claimed. It is left alone.`,
  move_into_folder: ({ folder }) => `To import the file that is there now, move it into ${folder}.`,
  unsafe_link: ({ path }) => `${path} is a link, so nothing is read or written there.`,
  unsafe_not_a_folder: ({ path }) => `${path} is not a folder, so nothing is read or written there.`,
  unsafe_owner: ({ path, user }) =>
    `${path} belongs to the user with the id ${user}, so nothing is read or written there.`,
  unsafe_open: ({ path }) => `${path} is open to other users, so nothing is read or written there.`,
  file_not_taken: ({ name, why }, say) => `${name} cannot be picked up: ${say(why)}`,
  folders_away: ({ problems }, say) => problems.map(say).join('; '),
  nothing_new: ({ source }) => `There is nothing new at ${source}.`,
  submitted_copy_gone: () => 'The copy of the submitted file is no longer in the spool.',
  move_folder_away: () => 'Move it away. The worker then makes its own folder.',
  copy_missing: ({ file }) => `The copy of ${file} is missing.`,
  drop_file_again: () => 'Put the file into the folder again.',
  submit_file_again: () => 'Submit the file again.',
  import_yielded: () => 'The import yielded to an export that uses the same key.',
  no_such_schedule: ({ schedule }) => `There is no schedule "${schedule}".`,
  no_schedules: () => 'The configuration has no schedules.',
  schedules_are: ({ names }, say) => `The schedules are ${say(names)}.`,
  config_missing: ({ file }) => `${file} does not exist.`,
  config_unreadable: ({ file }) => `${file} cannot be read.`,
  to_name_config: () => 'To name the file of profiles and schedules',
  webhook_secret_short: () =>
    'The secret of the webhook is too short: expected whsec_ and at least 24 characters.',
  folder_not_mounted: ({ folder }) => `The folder ${folder} is not on a mounted disk or share.`,
  folder_unmounted: ({ folder, mount }) =>
    `The folder ${folder} is not mounted: the last file went to the disk that was mounted at ${mount}. To write files there although it is not mounted, set mounted: false.`,
  folder_missing: ({ folder }) => `The folder ${folder} does not exist.`,
  no_smtp: () => 'To send e-mail, the configuration needs smtp.',
  schema_no_rights: ({ store, role, schema }) => `${store}: ${role} may not use the schema ${schema}.`,
  ask_schema_owner: ({ role }) => `Ask its owner to make ${role} a member of the role that owns it.`,
  run_was_cancelled: () => 'The run was cancelled.',
  spool_damaged: ({ file }) => `The copy of ${file} in the spool is damaged: its SHA-256 has changed.`,
  missing_needs_person: () =>
    'Archiving missing items changes items that the file does not name, so a person must look at the plan.',
  to_see_plan: () => 'To see the plan first',
  keys_missing: ({ problems }, say) => problems.map(say).join('\n'),
  to_see_lines: () => 'To see the line of each problem',
  health_address_taken: ({ address }) =>
    `The health address ${address} cannot be used: another program uses it, or it is not an address of this machine.`,
  to_serve_health_elsewhere: () => 'To choose another address',
  answers_status: ({ host, status }) => `${host} answers with status ${status}.`,
  host_has_no_file: ({ host, status }) => `${host} answers with status ${status}: there is no such file.`,
  host_away: ({ host, reason }) => `${host} cannot be reached${reason === undefined ? '' : `: ${reason}`}.`,
  address_refused: ({ address, problem }, say) => `${address}: ${say(problem)}.`,
  private_address: ({ host }) =>
    `${host} is a private address, of this machine or its network. Nothing was sent there.`,
  allow_private: () => 'If that is intended, add allowPrivate: true next to the address.',
  secret_missing: ({ variable }) => `The configuration reads a secret from ${variable}, which is not set.`,
  set_secret: ({ variable }) => `Set ${variable}, or ${variable}_FILE to a file that contains the secret.`,
  package_missing: ({ name }) => `This needs the package ${name}, which is not installed.`,
  install_package: ({ name }) =>
    `Install it next to shelflift: npm install ${name}. If shelflift was installed globally, install it globally too.`,
  rclone_missing: () => 'This needs the program rclone, which is not installed.',
  install_rclone: () =>
    'Install it: apt-get install rclone, or https://rclone.org/install. Then: rclone config',
  rclone_ended: ({ exit, reason }) =>
    `rclone ${exit === undefined ? 'was ended by a signal' : `exited with code ${exit}`}: ${reason ?? 'it did not say why'}.`,
  add_rclone_remote: () =>
    'Add that remote: rclone config. If its configuration is elsewhere, set RCLONE_CONFIG.',
  correct_what_it_says: () => 'Correct the problem that it reports.',
  source_too_slow: ({ source, minutes }) => `${source} was not read within ${counted(minutes, 'minute')}.`,
  source_is_folder: ({ source }) => `${source} is a folder, not a file.`,
  source_unknown: ({ source }) => `rclone does not say whether ${source} is a file.`,
  source_missing: ({ source }) => `There is no file ${source}.`,
  source_too_large: ({ source, megabytes }) => `${source} is larger than ${megabytes} MB.`,
  redirects_too_often: ({ host, times }) => `${host} redirects more than ${counted(times, 'time')}.`,
  redirects_nowhere: ({ host }) => `${host} redirects without giving an address.`,
  redirects_insecure: ({ host, to }) => `${host} redirects to ${to}; only https: is followed.`,
  redirects_elsewhere: ({ host, to }) =>
    `${host} redirects to ${to}, which is another host. Nothing was read there.`,
  publish_sheet: () =>
    'Publish the sheet: File, Share, Publish to web, as CSV. Then use the address that Google shows.',
  allow_redirect: ({ host }) => `If that is intended, add this next to the address: redirects: [${host}].`,
  sent_compressed: ({ host, encoding }) => `${host} sends the file compressed (${encoding}).`,
  sent_web_page: ({ host }) => `${host} sends a web page, not a table.`,
  use_file_address: () => 'Use the address of the file itself.',
  net_refused: ({ where }, say) => `${say(where)} refuses the connection.`,
  net_broken: ({ where }, say) => `${say(where)} closed the connection.`,
  net_silent: ({ where }, say) => `${say(where)} does not answer.`,
  net_unreachable: ({ where }, say) => `${say(where)} cannot be reached.`,
  net_unknown: ({ where }, say) => `${say(where)} is unknown: check the spelling and the network.`,
  net_no_lookup: ({ where }, say) => `${say(where)} cannot be looked up: check the network.`,
  net_login: ({ where }, say) => `${say(where)} did not accept the name or the password.`,
  net_missing: ({ where }, say) => `${say(where)} does not exist.`,
  net_below_file: ({ where }, say) => `${say(where)} does not exist: a part of its path is a file.`,
  net_not_allowed: ({ where }, say) => `${say(where)} cannot be written to: this user lacks permission.`,
  net_read_only: ({ where }, say) => `${say(where)} cannot be written to: the disk is read-only.`,
  net_disk_full: ({ where }, say) => `${say(where)} cannot be written to: the disk is full.`,
  net_quota: ({ where }, say) => `${say(where)} cannot be written to: the quota is used up.`,
  net_disk_silent: ({ where }, say) =>
    `${say(where)} cannot be written to: the disk or share does not answer.`,
  net_remounted: ({ where }, say) => `${say(where)} cannot be written to: the share was mounted again.`,
  net_not_connected: ({ where }, say) => `${say(where)} cannot be written to: the share is not connected.`,
  the_server: ({ detail }) => `The server (${detail})`,
  schedule_named: ({ name }) => `schedule ${name}`,
  folder_named: ({ path }) => `folder ${path}`,
  made_not_delivered: ({ file, to }) =>
    `${file} was created but not delivered${to === undefined ? '' : ` to ${to}`}.`,
  changes_only_in_this_file: ({ to }) =>
    `Another target has received this file, so no later file contains its changes. Not delivered yet to: ${to.join(', ')}.`,
  no_reason_said: () => 'No reason was given.',
  to_fetch_again: () => 'To fetch the corrected file and import it',
  to_try_again: () => 'To try again',
  retried_automatically: () => 'It will be retried automatically.',
  retried_at: ({ time }) => `It will be retried automatically; the next try is at ${utcTime(time)}.`,
  to_retry_now: () => 'To retry now',
  to_try_file_again: () => 'To try again, put the file into the folder.',
  key_in_config: ({ key, value }) => `${key}: ${value} in shelflift.yaml`,
  mail_fails: ({ subject }, say) => `shelflift: ${say(subject)} fails`,
  mail_works_again: ({ subject }, say) => `shelflift: ${say(subject)} works again`,
  mail_failed_works_again: ({ subject }, say) => `shelflift: ${say(subject)} failed, but works again`,
  several_gaps: ({ gaps }, say) => gaps.map(say).join(' '),
  mail_asks_to_check: ({ subject }, say) => `shelflift: please check ${say(subject)}`,
  mail_left_rows_out: ({ subject }, say) => `shelflift: ${say(subject)} left rows out`,
  it_works_again: ({ subject }, say) => `${say(subject)}: it works again`,
  not_imported_so_far: ({ files, more }) =>
    `Not imported so far: ${files.join(', ')}${more ? ' and others' : ''}. They are in the folder failed, with the reasons.`,
  since_then: ({ time, notice }) => `First failure: ${utcTime(time)}\n${notice}`,
  same_reason: ({ others }, say) => `For the same reason: ${others.map(say).join(', ')}.`,
  to_check_file: () => 'To check the file, save both attachments in one folder',
  to_import_from_folder: ({ folder }) =>
    `To import it from this folder, correct the file, and move it back into ${folder}. After a change to shelflift.yaml, move it back as it is.`,
  to_import_rest_from_folder: ({ folder, job }) =>
    `shelflift sends nothing from the same file again, because its job was cancelled. To import the remaining rows from this folder, correct or add a row, and move the file back into ${folder}. To send the remaining rows of the unchanged file, ask the person who runs the worker to send the rest of job ${job}.`,
  file_grew: () =>
    'The file was still being written when it was read. shelflift imports it again and sends only the rows that have not been sent yet.',
  rows_not_imported: ({ rows, of, ...kinds }) =>
    `${count(rows)} of ${counted(of, 'row')} ${rows === 1 ? 'was' : 'were'} not imported: ${Object.entries(
      kinds,
    )
      .flatMap(([kind, number]) => (number === 0 ? [] : [`${count(number)} ${kind}`]))
      .join(', ')}.`,
  correct_rows_in: ({ file }) => `Correct the rows in ${file}, and put that file into the folder.`,
  imported_before: ({ job }) => `This content was imported before, by job ${job}.`,
  change_files_alike: ({ name }) =>
    `Several runs make a file named ${name}. A file of changes cannot be made again, so no file replaces another: later files get -2, -3 … in their names. Put the time of the run into the name to tell the files apart.`,
  file_renamed: ({ name, as }) =>
    `The name ${name} is taken by another file, and a file of changes cannot be made again, so nothing was replaced: this file is named ${as}.`,
  left_out_by_layout: ({ rows }) =>
    `${counted(rows, 'row was', 'rows were')} left out, because the layout does not accept ${rows === 1 ? 'its' : 'their'} values. The manifest has the details.`,
  list_moved_unwritten: () =>
    'The list changed while it was read, and requireStable is set, so nothing was written.',
  schedule_gone: ({ schedule }) => `The schedule ${schedule} is no longer in the configuration.`,
  run_cancelled: () => 'The run was cancelled. Rows that were already sent are kept.',
  deliveries_failed: ({ problems }, say) => problems.map(say).join('; '),
  recipients_refused: ({ refused }) =>
    `The mail server refused the e-mail for ${list(refused)}; the other recipients received it.`,
  delivery_gone: () => 'This delivery is no longer in the configuration.',
  file_gone: () => 'The file to deliver, or its schedule, no longer exists.',
  correct_at_source: ({ source }) => `Correct the rows at ${source}. The next run imports them.`,
  rows_not_sendable: ({ rows, of }) =>
    `${count(rows)} of ${counted(of, 'row')} cannot be sent as ${rows === 1 ? 'it is' : 'they are'}, so nothing was sent.`,
};
