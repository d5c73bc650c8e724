import { busyTimer, latestOnly, onCatchUp, showError, showToast, t, tn, usePlaceState } from '@kontor/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  confirmAll,
  confirmEntry,
  type DueInvoice,
  type Entry,
  loadWork,
  type Question,
  reopenEntry,
  type Suggestion,
  setAside,
  type WorkPage,
} from './matching-data.ts';

const pageSize = 100;

export interface Matching {
  readonly question: Question;
  /** Null until loaded. */
  readonly page: WorkPage | null;
  readonly current: Entry | null;
  /** What Enter confirms, after those of the server what the user has chosen. */
  readonly suggestions: readonly Suggestion[];
  readonly picked: Suggestion | null;
  ask(question: Partial<Question>): void;
  show(id: number): void;
  step(by: 1 | -1): void;
  pick(at: number): void;
  /** Adds an invoice to those that the user chooses. */
  choose(invoice: DueInvoice): void;
  confirm(): Promise<void>;
  confirmCertain(): Promise<void>;
  aside(reason: string): Promise<void>;
  reopen(): Promise<void>;
  undo(): void;
  reload(): void;
}

/** What the matching screen shows. Each change loads it again: what is due has changed for other entries too. */
// Over 60 lines: all functions change the same page and position.
export function useMatching(): Matching {
  const [state, setState] = usePlaceState<Question['state']>('bank:state', 'open');
  const [account, setAccount] = usePlaceState<number | null>('bank:account', null);
  const [shownId, setShown] = usePlaceState<number | null>('bank:shown', null);
  const [limit, setLimit] = useState(pageSize);
  const [page, setPage] = useState<WorkPage | null>(null);
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<readonly DueInvoice[]>([]);
  const isBusy = useRef(false);
  const last = useRef<number | null>(null);
  const question = { state, account, limit };
  const latest = useRef(question);
  latest.current = question;

  const [load] = useState(() => latestOnly(() => loadWork(latest.current), setPage));
  const reload = useCallback(() => void load().catch(showError), [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every part of the question is asked again.
  useEffect(() => busyTimer(reload, 0), [state, account, limit, reload]);
  useEffect(() => onCatchUp(reload), [reload]);

  const list = page?.entries ?? [];
  const current = list.find(({ id }) => id === shownId) ?? list[0] ?? null;
  const own: readonly Suggestion[] =
    chosen.length === 0 || !chosen[0]
      ? []
      : [
          {
            ...{ level: 'chosen', invoices: chosen, reasons: [t('Chosen by you.')] },
            ...{ partnerId: chosen[0].partnerId, partnerName: chosen[0].partnerName },
          },
        ];
  const suggestions = [...own, ...(current?.suggestions ?? [])];
  const picked = suggestions[at] ?? null;
  const show = (id: number) => {
    setShown(id);
    setAt(0);
    setChosen([]);
  };
  const neighbour = (by: 1 | -1) => list[list.findIndex(({ id }) => id === current?.id) + by] ?? null;

  /** One change at a time: a second Enter does not confirm what comes next unseen. */
  const change = async (work: (entry: Entry) => Promise<void>, done: string, canUndo = true) => {
    if (!current || isBusy.current) return;
    isBusy.current = true;
    const next = neighbour(1) ?? neighbour(-1);
    try {
      await work(current);
      last.current = canUndo ? current.id : null;
      await load();
      if (next) show(next.id);
      else show(0);
      const action = { label: t('Undo'), run: () => reopen(current.id) };
      showToast({ kind: 'success', title: done, ...(canUndo ? { action } : {}) });
    } catch (error) {
      showError(error);
    } finally {
      isBusy.current = false;
    }
  };
  const reopen = (id: number) =>
    void reopenEntry(id)
      .then(() => load())
      .then(() => {
        show(id);
        showToast({ kind: 'success', title: t('The entry is open again') });
      }, showError);
  const undo = () => {
    const id = last.current;
    last.current = null;
    if (id !== null) reopen(id);
  };
  return {
    ...{ question, page, current, suggestions, picked, show, undo, reload },
    ask(next) {
      if (next.state !== undefined) setState(next.state);
      if (next.account !== undefined) setAccount(next.account);
      setLimit(next.limit ?? pageSize);
      if (next.state === undefined && next.account === undefined) return;
      setPage(null);
      show(0);
    },
    step(by) {
      const next = neighbour(by);
      if (next) show(next.id);
    },
    pick: (index) => index < suggestions.length && setAt(index),
    choose(invoice) {
      setChosen((now) => [...now.filter(({ id }) => id !== invoice.id), invoice]);
      setAt(0);
    },
    async confirm() {
      if (picked && state === 'open') await change((entry) => confirmEntry(entry.id, picked), t('Payment registered'));
    },
    async confirmCertain() {
      const ids = list.filter((each) => each.suggestions[0]?.level === 'certain').map(({ id }) => id);
      if (ids.length === 0 || isBusy.current) return;
      isBusy.current = true;
      try {
        const { confirmed, problems } = await confirmAll(ids);
        await load();
        showToast({
          kind: 'success',
          title: tn('{n} entry confirmed', '{n} entries confirmed', confirmed.length),
        });
        const [problem] = problems;
        if (problem) showToast({ kind: 'error', title: problem.message });
      } catch (error) {
        showError(error);
      } finally {
        isBusy.current = false;
      }
    },
    async aside(reason) {
      await change((entry) => setAside(entry.id, reason), t('Set aside'));
    },
    async reopen() {
      await change((entry) => reopenEntry(entry.id), t('The entry is open again'), false);
    },
  };
}
