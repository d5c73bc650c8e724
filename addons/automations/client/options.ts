import { bootstrap, type RecordValues, request, searchRead, t } from '@kontor/client';
import { useEffect, useState } from 'react';

export interface Named {
  readonly name: string;
  readonly label: string;
}

export interface FieldOption extends Named {
  /** How a value is entered. */
  readonly input: 'truth' | 'moment' | 'day' | 'exact' | 'number' | 'text' | 'other';
  readonly relation: string | null;
  readonly isDate: boolean;
  readonly isPeople: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly mayWrite: boolean;
}

export interface ModelOption extends Named {
  readonly hasChatter: boolean;
  readonly mayCreate: boolean;
}

/** As the server answers `GET /web/wc/automations`. */
export interface Options {
  readonly models: readonly ModelOption[];
  readonly fields: readonly FieldOption[];
  readonly actions: readonly Named[];
}

const nothing: Options = { models: [], fields: [], actions: [] };
const asked = new Map<string, Promise<Options>>();

function load(model: string): Promise<Options> {
  const known = asked.get(model);
  if (known) return known;
  const answer = request<Options>(`${bootstrap().wcApiBase}/automations?${new URLSearchParams({ model })}`).then(
    ({ body }) => body,
    () => {
      asked.delete(model);
      return nothing;
    },
  );
  asked.set(model, answer);
  return answer;
}

/** What can be chosen for a model; requested once per page. */
export function useOptions(model: string): Options {
  return useLoaded(model, nothing, load);
}

/** Records that can be chosen, by their names. */
export function useNames(model: string, domain = '[]'): readonly RecordValues[] {
  return useLoaded(`${model} ${domain}`, none, () =>
    searchRead(model, JSON.parse(domain) as [], ['display_name'], { limit: 200, order: 'id' }),
  );
}

const none: readonly RecordValues[] = [];

function useLoaded<T>(key: string, empty: T, read: (key: string) => Promise<T>): T {
  const [found, setFound] = useState<{ readonly key: string; readonly value: T }>({ key: '', value: empty });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is read
  useEffect(() => {
    let isShown = true;
    read(key).then(
      (value) => isShown && setFound({ key, value }),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [key]);
  return found.key === key ? found.value : empty;
}

export function labelOf(fields: readonly Named[], name: string): string {
  return fields.find((field) => field.name === name)?.label ?? name;
}

export const stepWords = (): readonly (readonly [string, string, string])[] => [
  ['set', t('Set fields'), 'pencil'],
  ['create', t('Create a record'), 'plus'],
  ['assign', t('Assign a person'), 'user-plus'],
  ['activity', t('Plan an activity'), 'calendar'],
  ['note', t('Post a note'), 'message-square'],
  ['mail', t('Send an e-mail'), 'mail'],
  ['webhook', t('Call a webhook'), 'webhook'],
  ['run', t('Run an action'), 'play'],
];
