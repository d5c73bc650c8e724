import { type BusMessage, type BusOptions, listen } from './bus.ts';
import { type ChangePage, cursorNow, type FollowOptions, followChanges } from './follow.ts';
import { type RecordsOf, recordsOf } from './records.ts';
import { type ClientOptions, createTransport, type Receipt, type RpcCall } from './transport.ts';
import type { AnyModels } from './types.ts';

/** A Kontor server, as one user. */
export interface Client<Models = AnyModels> {
  /** The records of a model. */
  model<Name extends Extract<keyof Models, string>>(name: Name): RecordsOf<Models, Name>;
  /** Signs in with a password, instead of a key. */
  login(login: string, password: string): Promise<void>;
  /** One raw call. */
  send<Result = unknown>(call: RpcCall): Promise<Receipt<Result>>;
  /** Reverts the changes of a call, if nothing has changed them since. */
  undo(changeSet: number): Promise<void>;
  /** The cursor to start following from; get it before reading all records for the first time. */
  cursor(): Promise<string>;
  /** Pages of changes after a cursor, including deletions; none is missed. Without models: all of them. */
  follow(
    cursor: string,
    models?: readonly Extract<keyof Models, string>[],
    options?: FollowOptions,
  ): AsyncGenerator<ChangePage, void, undefined>;
  /** Live events, for sessions. Programs that must not miss anything follow the feed. */
  bus(options?: BusOptions): AsyncGenerator<BusMessage, void, undefined>;
}

/**
 * A client of one server. With the types that `kontor types` wrote, a misspelt field does not compile.
 * ```ts
 * import type { Models } from './kontor-models.ts';
 * const kontor = createClient<Models>({ url: 'https://erp.example.com', key: process.env.KONTOR_KEY });
 * for await (const partner of kontor.model('core.partner').all([['city', '=', 'Oslo']], ['name'])) console.log(partner.name);
 * ```
 */
export function createClient<Models = AnyModels>(options: ClientOptions): Client<Models> {
  const transport = createTransport(options);
  return {
    model: <Name extends Extract<keyof Models, string>>(name: Name) => recordsOf<Models, Name>(transport, name),
    login: transport.login,
    send: transport.send,
    async undo(changeSet) {
      await transport.send({ model: 'sys.change.set', method: 'call', args: [changeSet, 'action_revert'] });
    },
    cursor: () => cursorNow(transport),
    follow: (cursor, models = [], how = {}) => followChanges(transport, cursor, models, how),
    bus: (how = {}) => listen(transport, how),
  };
}
