import type { ProposalDecision, ProposalsScreenData, ShownProposal } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { onEvent } from '../../data/bus.ts';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { formatRelative } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Badge, Checkbox, EmptyState } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { ProposalCard, summaryOf } from './proposal-card.tsx';
import './styles.css';

type Decision = 'approve' | 'refuse';

/** Proposals of agents in the user's name, to approve or reject, one by one or several at once. */
// Over 60 lines: list, toolbar and dialog share the selection and the decision.
export function ProposalsScreen({ data, reload }: ScreenProps<ProposalsScreenData>) {
  const [whole, setWhole] = useState<ReadonlyMap<number, ShownProposal>>(new Map());
  const waiting = data.proposals.map((each) => currentOf(each, whole)).filter(({ state }) => state === 'waiting');
  const decided = data.proposals.filter(({ state }) => state !== 'waiting');
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [refused, setRefused] = useState<readonly ShownProposal[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => onEvent('notify', reload), [reload]);
  const chosen = waiting.filter(({ id }) => marked.has(id));

  async function decide(decision: Decision, proposals: readonly ShownProposal[], word = ''): Promise<void> {
    setBusy(true);
    try {
      tell(decision, await send(decision, proposals, word));
      setMarked(new Set());
      setRefused(null);
      reload();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  async function showWhole({ id }: ShownProposal): Promise<void> {
    try {
      const { body } = await request<{ result: ProposalsScreenData }>(`/web/proposals?whole=${id}`);
      setWhole(new Map([...whole, ...body.result.proposals.map((each) => [each.id, each] as const)]));
    } catch (error) {
      showError(error);
    }
  }

  return (
    <Page
      title={t('Proposed changes')}
      about={t('Changes that agents propose in your name. Nothing happens until you approve them.')}
      className="proposals"
      tools={
        waiting.length > 1 && (
          <ChosenTools
            {...{ waiting, chosen, isBusy }}
            onMark={setMarked}
            onRefuse={() => setRefused(chosen)}
            onApprove={() => void decide('approve', chosen)}
          />
        )
      }
    >
      {waiting.length === 0 && (
        <EmptyState icon="circle-check" title={t('Nothing is waiting for you')}>
          <p>{t('Changes that agents propose appear here.')}</p>
        </EmptyState>
      )}
      {waiting.length > 0 && (
        <ul className="stack gap-4">
          {waiting.map((proposal) => (
            <ProposalCard
              key={proposal.id}
              proposal={proposal}
              isBusy={isBusy}
              isMarked={waiting.length > 1 ? marked.has(proposal.id) : null}
              onMark={(isMarked) => setMarked(withId(marked, proposal.id, isMarked))}
              onApprove={() => void decide('approve', [proposal])}
              onRefuse={() => setRefused([proposal])}
              onWhole={() => void showWhole(proposal)}
            />
          ))}
        </ul>
      )}
      {decided.length > 0 && <Decided proposals={decided} />}
      {refused && (
        <RefuseDialog
          count={refused.length}
          isBusy={isBusy}
          onClose={() => setRefused(null)}
          onRefuse={(word) => void decide('refuse', refused, word)}
        />
      )}
    </Page>
  );
}

/** As a whole if it was asked for, unless it was recalculated since. */
function currentOf(proposal: ShownProposal, whole: ReadonlyMap<number, ShownProposal>): ShownProposal {
  const known = whole.get(proposal.id);
  return known?.version === proposal.version && proposal.state === 'waiting'
    ? { ...known, note: proposal.note }
    : proposal;
}

interface ChosenToolsProps {
  readonly waiting: readonly ShownProposal[];
  readonly chosen: readonly ShownProposal[];
  readonly isBusy: boolean;
  readonly onMark: (marked: ReadonlySet<number>) => void;
  readonly onRefuse: () => void;
  readonly onApprove: () => void;
}

function ChosenTools({ waiting, chosen, isBusy, onMark, onRefuse, onApprove }: ChosenToolsProps) {
  const isNone = chosen.length === 0;
  return (
    <>
      <span className="row mut target pad-e-2">
        <Checkbox
          label={t('Select all')}
          isChecked={chosen.length === waiting.length}
          isMixed={!isNone && chosen.length < waiting.length}
          onChange={(isAll) => onMark(new Set(isAll ? waiting.map(({ id }) => id) : []))}
        />
        {tn('{n} selected', '{n} selected', chosen.length)}
      </span>
      <Button disabled={isBusy || isNone} onClick={onRefuse}>
        {t('Reject …')}
      </Button>
      <Button kind="primary" icon="check" disabled={isBusy || isNone} onClick={onApprove}>
        {t('Approve')}
      </Button>
    </>
  );
}

async function send(
  decision: Decision,
  proposals: readonly ShownProposal[],
  word: string,
): Promise<readonly ProposalDecision[]> {
  const seen = proposals.map(({ id, version }) => ({ id, version }));
  const json = { decision, proposals: seen, word };
  const { body } = await request<{ result: readonly ProposalDecision[] }>('/web/proposals/decide', { json });
  return body.result;
}

function tell(decision: Decision, decided: readonly ProposalDecision[]): void {
  const done = decided.filter(({ state }) => state !== 'waiting').length;
  const [problem] = decided.flatMap((each) => each.problem ?? []);
  if (done > 0) {
    const title =
      decision === 'approve'
        ? tn('{n} change made', '{n} changes made', done)
        : tn('{n} rejected', '{n} rejected', done);
    showToast({ kind: 'success', title });
  }
  if (problem !== undefined) {
    const left = decided.length - done;
    showToast({ kind: 'error', title: tn('{n} still waits', '{n} still wait', left), body: problem });
  }
}

function withId(ids: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  const others = [...ids].filter((each) => each !== id);
  return new Set(isIn ? [...others, id] : others);
}

/** Recent decisions and their comments. */
function Decided({ proposals }: { readonly proposals: readonly ShownProposal[] }) {
  return (
    <section className="stack gap-3 page-section">
      <h2 className="small dim spaced">{t('Decided')}</h2>
      <ul className="surface framed round-l proposals-decided">
        {proposals.map((proposal) => (
          <li className="baseline pad-2-3 stack gap-3 break lined last-bare" key={proposal.id}>
            <Badge look={proposal.state === 'done' ? 'ok' : 'mute'}>
              {proposal.state === 'done' ? t('Approved') : t('Rejected')}
            </Badge>
            <span>
              <b>{proposal.agent}</b> {summaryOf(proposal)}
              {proposal.note && <span className="mut block">{proposal.note}</span>}
            </span>
            <span className="dim">{formatRelative(proposal.decidedAt ?? proposal.at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RefuseDialogProps {
  readonly count: number;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onRefuse: (word: string) => void;
}

function RefuseDialog({ count, isBusy, onClose, onRefuse }: RefuseDialogProps) {
  const [word, setWord] = useState('');
  return (
    <Dialog
      title={tn('Reject {n} proposal', 'Reject {n} proposals', count)}
      width={460}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={isBusy} onClick={() => onRefuse(word)}>
            {t('Reject')}
          </Button>
        </>
      }
    >
      <Labelled label={t('Why')} hint={t('The agent can read this and improve its proposal.')}>
        {(props) => (
          <textarea
            {...props}
            className="input pad-y-2 high-auto"
            rows={3}
            maxLength={1000}
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
        )}
      </Labelled>
    </Dialog>
  );
}
