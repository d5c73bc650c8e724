import { type RefObject, useEffect, useState } from 'react';
import {
  Avatar,
  bootstrap,
  busyTimer,
  type ChatterProps,
  IconButton,
  Popover,
  request,
  rpc,
  Skeleton,
  searchRead,
  showError,
  t,
  whileBusy,
} from '../../../door/index.ts';
import './followers.css';

interface Follower {
  readonly userId: number | null;
  readonly contactId: number | null;
  readonly name: string;
  readonly why: string;
  readonly mayRemove: boolean;
}

/** As the server answers `GET /web/wc/chatter/followers`. */
interface RecordFollowers {
  readonly followers: readonly Follower[];
  readonly own: {
    readonly record: string | null;
    readonly kind: string | null;
    readonly every: boolean;
    readonly person: string;
  };
  readonly kindLabel: string;
  readonly mayAdd: boolean;
  readonly takesContacts: boolean;
}

interface FollowersProps extends ChatterProps {
  readonly anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  /** The user follows or leaves the record. */
  onChange(): void;
}

/** Who follows a record and why, and what the user hears of it. Loaded when it is opened. */
export function Followers({ model, recordId, anchor, onClose, onChange }: FollowersProps) {
  const [data, setData] = useState<RecordFollowers | null>(null);
  const query = new URLSearchParams({ model, id: String(recordId) });
  const address = `${bootstrap().wcApiBase}/chatter/followers?${query}`;
  const load = () => request<RecordFollowers>(address).then(({ body }) => setData(body), showError);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened.
  useEffect(() => void load(), []);
  const change = async (values: object) => {
    const json = { model, id: recordId, ...values };
    await whileBusy(request<{ result: RecordFollowers }>('/web/chatter/followers', { json })).then(
      ({ body }) => setData(body.result),
      showError,
    );
    onChange();
  };
  const choose = async (save: Promise<unknown>) => {
    await whileBusy(save).then(load, showError);
    onChange();
  };
  return (
    <Popover anchor={anchor} align="end" onClose={onClose} className="chatter-followers">
      <div className="stack gap-3 pad-3" role="dialog" aria-label={t('Followers')}>
        <b className="semi">{t('Followers')}</b>
        {data === null ? (
          <Skeleton width="70%" />
        ) : (
          <>
            <FollowerList
              followers={data.followers}
              onRemove={({ userId, contactId }) =>
                void change({ do: 'remove', ...(userId ? { user: userId } : { contact: contactId }) })
              }
            />
            {data.mayAdd && (
              <AddFollower takesContacts={data.takesContacts} onAdd={(who) => void change({ do: 'add', ...who })} />
            )}
            <Hearing {...{ model, recordId, data }} onChoose={(save) => void choose(save)} />
          </>
        )}
      </div>
    </Popover>
  );
}

interface FollowerListProps {
  readonly followers: readonly Follower[];
  onRemove(follower: Follower): void;
}

function FollowerList({ followers, onRemove }: FollowerListProps) {
  if (followers.length === 0) return <p className="small mut">{t('Nobody follows this record.')}</p>;
  return (
    <ul className="stack gap-2 scroll-y chatter-follower-list">
      {followers.map((follower) => (
        <li key={`${follower.userId} ${follower.contactId}`} className="row gap-2">
          <Avatar name={follower.name} size="s" />
          <span className="grow shrink">
            <span className="cut">
              <bdi>{follower.name}</bdi>
            </span>
            <span className="small mut cut">{follower.why}</span>
          </span>
          {follower.mayRemove && (
            <IconButton
              icon="x"
              label={t('Remove {name}', { name: follower.name })}
              onClick={() => onRemove(follower)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface Found {
  readonly key: string;
  readonly name: string;
  readonly hint: string;
  readonly who: { readonly user: number } | { readonly contact: number };
}

interface AddFollowerProps {
  readonly takesContacts: boolean;
  onAdd(who: Found['who']): void;
}

function AddFollower({ takesContacts, onAdd }: AddFollowerProps) {
  const [typed, setTyped] = useState('');
  const found = usePeople(typed, takesContacts);
  const add = (who: Found['who'] | undefined) => {
    if (!who) return;
    setTyped('');
    onAdd(who);
  };
  return (
    <div className="stack gap-1">
      <input
        className="input"
        aria-label={t('Add a follower')}
        placeholder={takesContacts ? t('Add a colleague or contact') : t('Add a colleague')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add(found[0]?.who);
        }}
      />
      {found.map(({ key, name, hint, who }) => (
        <button key={key} type="button" className="menu-item" onClick={() => add(who)}>
          <span className="cut">{name}</span> <span className="small dim cut">{hint}</span>
        </button>
      ))}
    </div>
  );
}

const nobody: readonly Found[] = [];

function usePeople(typed: string, takesContacts: boolean): readonly Found[] {
  const [found, setFound] = useState(nobody);
  const text = typed.trim();
  useEffect(() => {
    if (text === '') return setFound(nobody);
    let isOver = false;
    const cancel = busyTimer(async () => {
      const named = ['name', 'ilike', text] as const;
      const [users, contacts] = await Promise.all([
        searchRead('core.user', [['active', '=', true] as const, named], ['name'], { limit: 5 }),
        takesContacts
          ? searchRead('core.partner', [['email', '!=', null] as const, named], ['name', 'email'], { limit: 5 })
          : [],
      ]).catch(() => [[], []]);
      if (isOver) return;
      setFound([
        ...users.map(({ id, name }) => ({
          key: `u${id}`,
          name: String(name),
          hint: t('Colleague'),
          who: { user: id },
        })),
        ...contacts.map(({ id, name, email }) => ({
          ...{ key: `c${id}`, name: String(name), hint: String(email), who: { contact: id } },
        })),
      ]);
    }, 150);
    return () => {
      isOver = true;
      cancel();
    };
  }, [text, takesContacts]);
  return found;
}

interface HearingProps extends ChatterProps {
  readonly data: RecordFollowers;
  onChoose(save: Promise<unknown>): void;
}

/** The choice nearest to the record wins. */
function Hearing({ model, recordId, data, onChoose }: HearingProps) {
  const { own, kindLabel } = data;
  const levels = hearsLabels();
  const label = (level: string) => levels.find(([key]) => key === level)?.[1] ?? '';
  const saveKind = (values: object) =>
    onChoose(
      rpc({
        model: 'mail.follow.kind',
        method: 'create',
        args: [{ model, hears: own.kind, every: own.every, ...values }],
      }),
    );
  return (
    <div className="stack gap-2">
      <b className="semi">{t('What you hear')}</b>
      <LevelChoice
        label={t('Of this record')}
        usual={t('As of all: {level}', { level: label(own.kind ?? own.person) })}
        value={own.record}
        onChange={(hears) =>
          onChoose(
            rpc({
              model: 'mail.follow',
              method: 'create',
              args: [{ model, res_id: recordId, is_on: true, hears }],
            }),
          )
        }
      />
      <LevelChoice
        label={t('Of all: {kind}', { kind: kindLabel })}
        usual={t('As in your profile: {level}', { level: label(own.person) })}
        value={own.kind}
        onChange={(hears) => saveKind({ hears })}
      />
      <label className="row gap-2 small">
        <input type="checkbox" checked={own.every} onChange={(event) => saveKind({ every: event.target.checked })} />
        {t('Follow every record of this kind')}
      </label>
      <a className="small" href="/web/profile">
        {t('By e-mail, daily digest and quiet hours')}
      </a>
    </div>
  );
}

interface LevelChoiceProps {
  readonly label: string;
  readonly usual: string;
  readonly value: string | null;
  onChange(level: string | null): void;
}

function LevelChoice({ label, usual, value, onChange }: LevelChoiceProps) {
  return (
    <label className="stack gap-half small">
      {label}
      <select className="input" value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">{usual}</option>
        {hearsLabels().map(([level, words]) => (
          <option key={level} value={level}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function hearsLabels(): readonly (readonly [string, string])[] {
  return [
    ['all', t('Everything')],
    ['states', t('Changes of state and mentions')],
    ['mentions', t('Mentions only')],
    ['none', t('Nothing')],
  ];
}
