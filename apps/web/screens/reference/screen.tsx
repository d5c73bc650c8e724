import type { ReferenceEntry, ReferenceScreenData } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { t, tn } from '../../i18n/messages.ts';
import { usePlace } from '../../navigation/router.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { ModelPart } from './model-part.tsx';
import './styles.css';

/** The models of this database, as far as the user may use them: a searchable list, and one in detail. */
export function ReferenceScreen({ data: first }: ScreenProps<ReferenceScreenData>) {
  const wanted = new URLSearchParams(usePlace().query).get('model') ?? '';
  const data = useModel(first, wanted);
  const [text, setText] = useState('');
  const found = search(data.models, text);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Page
      title={t('Reference')}
      about={tn('{n} model that you may read', '{n} models that you may read', data.models.length)}
      tools={
        <input
          ref={input}
          type="search"
          className="input"
          aria-label={t('Find a model or a field')}
          placeholder={t('Find a model or a field')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'ArrowDown' && step(event, list.current, 0)}
        />
      }
      className={`reference ${wanted === '' ? '' : 'reference-one'}`}
    >
      <div className="stack gap-5 at-start reference-parts">
        <nav className="surface framed round-l stick scroll-y reference-models" aria-label={t('Models')}>
          {found.length > 0 ? (
            <ul ref={list} onKeyDown={(event) => walk(event, list.current, input.current)}>
              {found.map(({ name, label }) => (
                <ModelLink key={name} {...{ name, label }} isCurrent={name === wanted} />
              ))}
            </ul>
          ) : (
            <EmptyState icon="search" title={t('Nothing found')}>
              <p>{t('Try another word.')}</p>
            </EmptyState>
          )}
        </nav>
        <div className="stack gap-4 shrink">
          {wanted !== '' && (
            <a className="line target gap-1 level fit phone-only reference-back" href="/web/reference">
              <Icon name="chevron-left" />
              {t('All models')}
            </a>
          )}
          {data.model?.name === wanted && data.model ? (
            <ModelPart key={wanted} model={data.model} />
          ) : (
            <Start isWaiting={wanted !== ''} />
          )}
        </div>
      </div>
    </Page>
  );
}

interface ModelLinkProps {
  readonly name: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

function ModelLink({ name, label, isCurrent }: ModelLinkProps) {
  return (
    <li className="lined last-bare">
      <a
        className={`pad-2-3 focus-in stack hovers marks ${isCurrent ? 'strong' : ''}`}
        href={hrefOf(name)}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <span>{label}</span>
        <code>{name}</code>
      </a>
    </li>
  );
}

function Start({ isWaiting }: { readonly isWaiting: boolean }) {
  if (isWaiting) return <div className="share" aria-busy="true" />;
  return (
    <EmptyState icon="search" title={t('Choose a model')}>
      <p>{t('Its fields and actions, your access rights, and sample calls to copy.')}</p>
    </EmptyState>
  );
}

function hrefOf(model: string): string {
  return `/web/reference?${new URLSearchParams({ model })}`;
}

/** The data of the page, and the model selected since. */
function useModel(first: ReferenceScreenData, wanted: string): ReferenceScreenData {
  const [data, setData] = useState(first);
  const known = data.model?.name ?? '';
  useEffect(() => {
    if (wanted === '' || wanted === known) return;
    let isCurrent = true;
    request<{ result: ReferenceScreenData }>(hrefOf(wanted)).then(
      ({ body }) => isCurrent && setData(body.result),
      showError,
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted, known]);
  return data;
}

function search(models: readonly ReferenceEntry[], text: string): readonly ReferenceEntry[] {
  const words = text.trim().toLocaleLowerCase().split(/\s+/);
  const has = (entry: ReferenceEntry) => {
    const all = `${entry.name} ${entry.label} ${entry.app} ${entry.words}`.toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  };
  const isNamed = (entry: ReferenceEntry) =>
    words.every((word) => `${entry.name} ${entry.label}`.toLocaleLowerCase().includes(word));
  const found = models.filter(has);
  return [...found.filter(isNamed), ...found.filter((entry) => !isNamed(entry))];
}

/** Arrow keys move through the models, and from the first one back to the search. */
function walk(event: KeyboardEvent, list: HTMLElement | null, input: HTMLElement | null): void {
  const at = linksIn(list).indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'ArrowUp' && at === 0) {
    event.preventDefault();
    input?.focus();
  } else if (event.key === 'ArrowDown') step(event, list, at + 1);
  else if (event.key === 'ArrowUp') step(event, list, at - 1);
}

function step(event: KeyboardEvent, list: HTMLElement | null, to: number): void {
  event.preventDefault();
  linksIn(list)[to]?.focus();
}

function linksIn(list: HTMLElement | null): readonly HTMLAnchorElement[] {
  return [...(list?.querySelectorAll('a') ?? [])];
}
