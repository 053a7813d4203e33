import type { COMMAND } from '../params/command.ts';
import type { TextsOf } from '../texts.ts';
import { either, list, quoted } from './format.ts';

export const DE_COMMAND: TextsOf<typeof COMMAND> = {
  option_problem: ({ option, problem }, say) => `${option}: ${say(problem)}.`,
  option_twice: ({ option, times }) => `${option} wurde ${times} Mal angegeben.`,
  give_once: () => 'Gib die Option einmal an.',
  options_exclude: ({ options }) => `${list(options)} schließen einander aus.`,
  give_one_option: () => 'Gib eine davon an.',
  option_needs: ({ option, needs }) => `${option} braucht ${either(needs)}.`,
  option_empty: ({ option }) => `${option} ist leer.`,
  give_value: () =>
    'Gib einen Wert an, oder lass die Option weg. Vielleicht ist eine Shell-Variable nicht gesetzt.',
  not_a_number: () => 'keine Zahl',
  profile_exists: ({ name }) => `Ein Profil ${quoted(name)} gibt es schon.`,
  to_replace_it: () => 'Ersetzen',
  choose_other_name: () => 'Wähle einen anderen Namen.',
  two_outputs: ({ options }) => `${list(options)} können sich stdout nicht teilen.`,
  no_output_file: () => 'Der Befehl braucht eine Ausgabedatei.',
  to_name_output: () => 'Um die Datei zu nennen',
  takes_one_file: ({ option }) => `${option} gilt nur für eine einzige Datei.`,
  put_into_one_file: () => 'Lege die ganze Sammlung in eine Datei. Alle Blätter einer Arbeitsmappe lesen',
  form_is_workbook: ({ file }) => `${file} endet nicht auf .xlsx; das Formular ist eine Arbeitsmappe.`,
  file_not_ours: ({ file }) => `${file} wurde nicht von shelflift geschrieben und darum nicht ersetzt.`,
  plan_not_replaced: ({ file }) =>
    `${file} wurde nicht von shelflift geschrieben oder seitdem geändert. Der Plan hat die Datei darum nicht ersetzt.`,
  file_edited: ({ file }) =>
    `${file} wurde bearbeitet, nachdem shelflift die Datei geschrieben hatte, und deshalb nicht ersetzt.`,
  file_replaced_meanwhile: ({ file }) => `Ein anderer Befehl hat ${file} ersetzt, bevor dieser fertig war.`,
  write_to_two_files: () => 'Gib jedem Befehl seine eigene Datei und starte diesen noch einmal.',
  init_needs_terminal: () => 'Dieser Befehl stellt Fragen und braucht deshalb ein Terminal.',
  run_in_terminal: () =>
    'Führe ihn in einem Terminal aus, oder schreib die Datei von Hand: docs/automate.md hat Beispiele.',
  config_exists: ({ file }) => `${file} gibt es schon. Die Datei bleibt, wie sie ist.`,
  change_with_editor: () => 'Ändere sie mit einem Editor.',
  to_write_other_config: () => 'Eine andere Datei schreiben',
  no_config_here: ({ file }) => `In diesem Ordner fehlt ${file}.`,
  to_write_config: () => 'Um sie anzulegen',
  no_profile_of_config: ({ option, file }) => `${option} nennt kein Profil aus ${file}.`,
  log_is_other_file: ({ option, file }) =>
    `${option} ist ${file}; diese Datei liest oder schreibt der Befehl.`,
  name_other_log: () => 'Nenne eine andere Datei für das Log. Es wurde nichts gelesen oder geschrieben.',
  stdin_twice: ({ word }) => `${word} ist zweimal angegeben, aber es gibt nur eine Standardeingabe.`,
  no_answer: ({ question }) => `Es gab keine Antwort auf: ${question}`,
  answer_on_terminal: () =>
    'Antworte in einem Terminal, oder übergib die Antworten über stdin, eine je Zeile.',
  host_and_port: () => 'HOST:PORT oder PORT',
  run_again: () => 'Führe dann diesen Befehl noch einmal aus.',
  usage_is: ({ usage, help, hasCommands }) =>
    `Aufruf: ${usage}\n  Alle ${hasCommands ? 'Befehle und Optionen' : 'Optionen'}: ${help}`,
  no_such_command: ({ meant }) => `Diesen Befehl gibt es nicht. Meintest du ${meant}?`,
  no_such_flag: ({ option, meant }) =>
    `Eine Option ${option} gibt es hier nicht.${meant === undefined ? '' : ` Meintest du ${meant}?`}`,
  several_mistakes: ({ problems }, say) => problems.map(say).join('\n'),
  unknown_argument: ({ argument }) => `Unbekanntes Argument: ${argument}.`,
  needs_arguments: ({ command }) => `${command} braucht mehr Argumente.`,
  needs_value: ({ option }) => `${option} braucht einen Wert.`,
  bad_choice: ({ option, given, words, near }) =>
    `${option} ist ${quoted(given)}, erwartet wird ${words.join(', ')}${near === undefined ? '' : `. Meintest du ${near}?`}`,
};
