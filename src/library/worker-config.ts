/** The content of shelflift.yaml as types, for programs that give it as an object; docs/automate.md explains it. */
import type { CallOptions, ColumnOptions, ExportOptions, ImportBaseOptions, ItemQuery } from './options.ts';

/** The tasks of a worker, its access to the API, and the people it notifies. */
export interface WorkerConfig {
  /** Address of the schema, for editors. */
  $schema?: string | undefined;
  /** Accounts of the API, by name. */
  profiles?: Record<string, WorkerProfile> | undefined;
  /** Exports, reports and imports at set times, by name. */
  schedules?: Record<string, Schedule> | undefined;
  /** Folders whose files are imported. */
  hotFolders?: readonly HotFolder[] | undefined;
  /** The mail server. */
  smtp?:
    | (Password & {
        /** Name of the server. */
        host: string;
        /** Default 587. */
        port?: number | undefined;
        /** Address of the sender. */
        from: string;
        /** Name for the login. */
        user?: string | undefined;
        /** Default `starttls`, which is enforced. With `none`, a password is sent only to this machine. */
        tls?: 'starttls' | 'implicit' | 'none' | undefined;
        /** Certificate of a private authority, as PEM. */
        caFile?: string | undefined;
      })
    | undefined;
  /** Who is notified when something fails, and when it works again. */
  notify?:
    | {
        /** Recipients of the mail. */
        email?: string | readonly string[] | undefined;
        /** Language of the mails. Default `en`. */
        language?: 'en' | 'de' | undefined;
        /** Address that gets a signed message when a run ends (Standard Webhooks). */
        webhook?:
          | (WebAddress & {
              /** Variable with the secret that signs it; this or `secretFile`. */
              secretEnv?: string | undefined;
              /** File with the secret. */
              secretFile?: string | undefined;
            })
          | undefined;
      }
    | undefined;
  /** Times such as `30s`, `10m` and `7d`. */
  retries?:
    | {
        /** Failed runs before a job is given up. Default 5. */
        tries?: number | undefined;
        /** Wait before the second try, doubled each time. Default `1m`. */
        backoff?: string | undefined;
        /** How long shelflift waits for a server that cannot be reached. Default `7d`. */
        outage?: string | undefined;
      }
    | undefined;
  /** Maximum number of runs at the same time, each with its own key. Default 32. */
  parallel?: number | undefined;
  /** Address to serve /healthz, /readyz and /metrics on. Default: none. */
  health?:
    | {
        /** Default 127.0.0.1. */
        host?: string | undefined;
        /** 0 chooses a free port. */
        port: number;
      }
    | undefined;
}

/** An account of the API. Its key is in a variable or a file, never here. */
export interface WorkerProfile {
  /** Base address of the API, without `/api/public/v1`. */
  apiUrl: string;
  /** Variable with the key; this or `keyFile`. */
  keyEnv?: string | undefined;
  /** File with the key, which only its owner can read. */
  keyFile?: string | undefined;
  /** Maximum requests per second. */
  maxRate?: number | undefined;
  /** Maximum requests in flight. */
  maxConcurrency?: number | undefined;
}

/** A task that a worker does at set times. */
export interface Schedule {
  /** Name of the profile. */
  profile: string;
  /** Five fields: `0 6 1 * *` is the first of each month at 06:00. */
  cron: string;
  /** Time zone of the times: `Europe/Berlin`. */
  timeZone: string;
  /** The task of the schedule. */
  task: ExportTask | ReportTask | ImportTask;
  /** Where the file goes. Default: it stays at `out`. */
  deliver?: readonly Delivery[] | undefined;
  /** How to catch up on times at which no worker ran. Default `once`. */
  catchUp?:
    | CatchUp
    | {
        /** The policy, as in the short form. */
        policy: CatchUp;
        /** With `all`: at most this many. Default 100. */
        limit?: number | undefined;
        /** Times older than this are skipped: `7d`. */
        age?: string | undefined;
      }
    | undefined;
  /** Health check that shelflift notifies of each start (URL/start), success (URL) and failure (URL/fail). */
  ping?: WebAddress | undefined;
  /** Retention of the files in folders. */
  retention?:
    | {
        /** Number of this schedule's files to keep. Default: all. */
        keep: number;
      }
    | undefined;
}

/** `once`: one run for all missed times; `all`: a run for each; `skip`: none. */
export type CatchUp = 'once' | 'all' | 'skip';

/** The items, and the name of the file. */
export interface FileTask extends Pick<ItemQuery, 'status' | 'collection'> {
  /** Only items that meet all of these conditions: `brand=Hasbro`. */
  where?: string | readonly string[] | undefined;
  /** Name of the file, with placeholders for dates: `sold-{{period.start:yyyy-MM}}.xlsx`. */
  out: string;
}

/** A file of items, listings, collections or sales. */
export interface ExportTask
  extends FileTask,
    Omit<ExportOptions, keyof FileTask | 'resource' | 'template' | 'timeZone' | 'signal' | 'waitMs'> {
  /** The list that the file contains. */
  export: 'items' | 'listings' | 'collections' | 'sales';
  /** Only in a report task. */
  report?: undefined;
  /** Only in an import task. */
  import?: undefined;
  /** Layout: a name, or the path of a YAML file. */
  template?: string | undefined;
}

/** A report for people; `month` is a package for bookkeeping. */
export interface ReportTask extends FileTask {
  /** Which report. */
  report: 'inventory' | 'listings' | 'sales' | 'month';
  /** Only in an export task. */
  export?: undefined;
  /** Only in an import task. */
  import?: undefined;
  /** Sales and month: the period, with placeholders for dates. */
  period?: string | undefined;
  /** Inventory: the day, with placeholders for dates. */
  asOf?: string | undefined;
  /** Also group by these fields. */
  by?: string | readonly string[] | undefined;
  /** Only items in this currency; for sales and month, the currency of the amounts. */
  currency?: string | undefined;
}

/** An import of a file that the worker fetches. */
export interface ImportTask {
  /** The source of the file, and how the file is read. */
  import: FetchedImport;
  /** Only in an export task. */
  export?: undefined;
  /** Only in a report task. */
  report?: undefined;
}

/** How the files of a folder or an address are imported. */
export interface WorkerImport
  extends Omit<
      ImportBaseOptions,
      | keyof CallOptions
      | 'checkSimilar'
      | 'confirm'
      | 'defaults'
      | 'filePassword'
      | 'first'
      | 'match'
      | 'maxMissing'
      | 'missing'
      | 'onlyNew'
      | 'planFile'
      | 'quietPeriodMs'
      | 'recheckMs'
      | 'results'
      | 'sheet'
      | 'similar'
      | 'waitForLimit'
    >,
    Pick<ColumnOptions, 'recipe' | 'map' | 'keepUnknown' | 'dropUnknown' | 'strict' | 'rates'> {
  /** Fields that identify the item of a row, with update and upsert. Default `id`. */
  match?: string | readonly string[] | undefined;
  /** Name of a shipped template, path of a YAML file, or `none`. */
  template?: string | undefined;
  /** Field → value for rows whose cell is blank. */
  default?: Record<string, string | number | boolean> | undefined;
  /** Sheet of a workbook, or `all`. */
  sheet?: string | number | undefined;
}

/** A source of a file on another machine: an address, SFTP or rclone. */
export interface FetchedImport extends WorkerImport, WebAddress {
  /** Other hosts that the address may redirect to. */
  redirects?: readonly string[] | undefined;
  /** A file on an SFTP server. */
  sftp?:
    | (SftpServer & {
        /** Path on the server. */
        file: string;
      })
    | undefined;
  /** A remote of rclone and a path: `drive:out/stock.csv`. */
  rclone?: string | undefined;
  /** Folder of the file and its results. Default: the state folder. */
  outDir?: string | undefined;
  /** A file with a larger share of invalid or refused rows counts as failed. Default 0.5. */
  alertShare?: number | undefined;
}

/** A folder whose files are imported when they appear. */
export interface HotFolder {
  /** Path. */
  path: string;
  /** Name of the profile. */
  profile: string;
  /** How the files are read. */
  import?: WorkerImport | undefined;
  /** Checks the folder at intervals instead of listening for changes; for network shares. */
  polling?: boolean | undefined;
  /** Takes NAME only if NAME.ready exists beside it. */
  ready?: boolean | undefined;
  /** A file with a larger share of invalid or refused rows counts as failed. Default 0.5. */
  alertShare?: number | undefined;
}

/** One place that a file goes to. */
export type Delivery =
  | {
      /** Path of a folder. */
      folder: string;
      /** Whether it is on a mounted disk or share. Default: as at the last delivery. */
      mounted?: boolean | undefined;
    }
  | {
      /** An SFTP server. */
      sftp: SftpServer & {
        /** Folder on the server. Default: the folder in which the login starts. */
        folder?: string | undefined;
      };
    }
  | {
      /** A remote of rclone and a path: `drive:accounts`. */
      rclone: string;
    }
  | {
      /** A mail with the file and its manifest. */
      email: {
        /** One address or several. */
        to: string | readonly string[];
        /** May contain placeholders for dates. */
        subject?: string | undefined;
        /** Default `en`. */
        language?: 'en' | 'de' | undefined;
        /** Contact for the recipient's questions. Default: the addresses of `notify`. */
        contact?: string | undefined;
      };
    };

/** Where a password is kept. */
export interface Password {
  /** Variable with the password. */
  passwordEnv?: string | undefined;
  /** File with the password. */
  passwordFile?: string | undefined;
}

/** How an SFTP server is reached. */
export interface SftpServer extends Password {
  /** Name of the server. */
  host: string;
  /** Default 22. */
  port?: number | undefined;
  /** Name for the login. */
  user: string;
  /** `SHA256:…`, as ssh-keygen -lf shows it. */
  hostKey: string;
  /** File with a private key, in place of a password. */
  privateKeyFile?: string | undefined;
}

/** A web address: one of `url`, `urlEnv` and `urlFile`. */
export interface WebAddress {
  /** The address itself. */
  url?: string | undefined;
  /** Variable with the address, if that is secret. */
  urlEnv?: string | undefined;
  /** File with the address, which only its owner can read. */
  urlFile?: string | undefined;
  /** Allows an address of a private network or of this machine. */
  allowPrivate?: boolean | undefined;
  /** Certificate of a private authority, as PEM. */
  caFile?: string | undefined;
}
