/** Teams, their keys and their collections: few, so they are held in memory and written through. */
import type { DatabaseSync } from 'node:sqlite';
import type { Collection } from '../../api/resources.ts';
import type { Scope } from '../../api/schemas.ts';

/** A key of a team. */
export interface SandboxKey {
  /** The secret that a client sends. */
  readonly secret: string;
  /** The scopes of the key. */
  readonly scopes: readonly Scope[];
}

/** A team of a sandbox. */
export interface Team {
  /** 1 is the default team. */
  readonly id: number;
  /** Name for display. */
  readonly name: string;
  /** Currency of all its items; lower case. */
  readonly currency: string;
  /** Keys without the revoked ones. */
  readonly keys: readonly SandboxKey[];
  /** In the order in which they were made. */
  readonly collections: readonly Collection[];
}

/** The access that a key gives. */
export interface Access {
  readonly secret: string;
  readonly team: StoredTeam;
  readonly scopes: ReadonlySet<Scope>;
}

/** A team in the store, which only the store may change. */
export interface StoredTeam extends Team {
  readonly keys: SandboxKey[];
  readonly collections: Collection[];
  /** JSON text of the sales figures; see sales.ts. */
  sales: string;
}

export class TeamStore {
  readonly #database: DatabaseSync;
  readonly #teams = new Map<number, StoredTeam>();
  readonly #access = new Map<string, Access>();
  /** Collection id (lower case) to its team's id. */
  readonly #owners = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const row of database.prepare('SELECT id, name, currency, sales FROM teams ORDER BY id').all()) {
      this.#keepTeam({
        id: Number(row['id']),
        name: String(row['name']),
        currency: String(row['currency']),
        sales: String(row['sales']),
        keys: [],
        collections: [],
      });
    }
    for (const row of database.prepare('SELECT secret, team, scopes FROM keys').all()) {
      this.#keepKey(this.team(Number(row['team'])), {
        secret: String(row['secret']),
        scopes: JSON.parse(String(row['scopes'])) as Scope[],
      });
    }
    // Oldest first, so that keeping each at the front leaves the newest there.
    for (const row of database.prepare('SELECT team, body FROM collections ORDER BY created, seq').all()) {
      this.#keepCollection(this.team(Number(row['team'])), JSON.parse(String(row['body'])) as Collection);
    }
  }

  all(): StoredTeam[] {
    return [...this.#teams.values()];
  }

  /** @throws RangeError if there is no such team */
  team(id: number): StoredTeam {
    const team = this.#teams.get(id);
    if (team === undefined) throw new RangeError(`There is no team ${id} in this sandbox.`);
    return team;
  }

  access(secret: string): Access | undefined {
    return this.#access.get(secret);
  }

  /** @param collectionId in lower case */
  ownsCollection(team: number, collectionId: string): boolean {
    return this.#owners.get(collectionId) === team;
  }

  addTeam(name: string, currency: string, sales: string): StoredTeam {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO teams (name, currency, sales) VALUES (?, ?, ?)')
      .run(name, currency, sales);
    return this.#keepTeam({ id: Number(lastInsertRowid), name, currency, sales, keys: [], collections: [] });
  }

  /** @throws RangeError if the secret is in use */
  addKey(teamId: number, secret: string, scopes: readonly Scope[]): SandboxKey {
    const team = this.team(teamId);
    if (this.#access.has(secret)) throw new RangeError('This key exists already in this sandbox.');
    this.#database
      .prepare('INSERT INTO keys (secret, team, scopes) VALUES (?, ?, ?)')
      .run(secret, teamId, JSON.stringify(scopes));
    return this.#keepKey(team, { secret, scopes: [...scopes] });
  }

  /** Returns true if the key existed. */
  revokeKey(secret: string): boolean {
    const access = this.#access.get(secret);
    if (access === undefined) return false;
    this.#database.prepare('DELETE FROM keys WHERE secret = ?').run(secret);
    this.#access.delete(secret);
    const { keys } = access.team;
    keys.splice(
      keys.findIndex((key) => key.secret === secret),
      1,
    );
    return true;
  }

  addCollection(teamId: number, collection: Collection): Collection {
    const team = this.team(teamId);
    this.#database
      .prepare('INSERT INTO collections (id, team, created, body) VALUES (?, ?, ?, ?)')
      .run(collection.id, teamId, Date.parse(collection.created_at), JSON.stringify(collection));
    this.#keepCollection(team, collection);
    return collection;
  }

  saveSales(team: StoredTeam, sales: string): void {
    team.sales = sales;
    this.#database.prepare('UPDATE teams SET sales = ? WHERE id = ?').run(sales, team.id);
  }

  #keepTeam(team: StoredTeam): StoredTeam {
    this.#teams.set(team.id, team);
    return team;
  }

  #keepKey(team: StoredTeam, key: SandboxKey): SandboxKey {
    team.keys.push(key);
    this.#access.set(key.secret, { secret: key.secret, team, scopes: new Set(key.scopes) });
    return key;
  }

  #keepCollection(team: StoredTeam, collection: Collection): void {
    team.collections.unshift(collection);
    this.#owners.set(collection.id, team.id);
  }
}
