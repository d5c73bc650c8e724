import type { DayData, HomeScreenData } from '@kontor/protocol';
import { useId, useRef, useState } from 'react';
import { timeZone } from '../../i18n/dates.ts';
import { locale, t, tn } from '../../i18n/messages.ts';
import { hasFeature, useBootstrap } from '../../state/bootstrap.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { AllApps, PinnedApps } from './apps.tsx';
import { DayCard } from './day-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HomeBoard } from './home-board.tsx';
import type { NewActivityProps } from './new-activity.tsx';
import { FollowedCard, RecentCard } from './side-cards.tsx';
import { useDay } from './use-day.ts';
import { useDroppedSheet } from './use-dropped-sheet.ts';
import './styles.css';

const { Component: SpreadsheetDialog } = lazyComponent(
  async () => (await import('../../workspace/customise/spreadsheet-dialog.tsx')).SpreadsheetDialog,
);

const { Component: NewActivity } = lazyComponent<NewActivityProps>(
  async () => (await import('./new-activity.tsx')).NewActivity,
);

/** The user's day and apps: pinned ones at once, all others with one click. */
export function HomeScreen({ data, reload }: ScreenProps<HomeScreenData>) {
  const { apps, user } = useBootstrap();
  const [isAllShown, setAllShown] = useState(false);
  const allApps = useRef<HTMLElement>(null);
  const allAppsId = useId();
  const day = useDay(data.day, reload);
  const [first] = user.name.split(' ');
  const toggle = () => {
    setAllShown(!isAllShown);
    if (!isAllShown) requestAnimationFrame(() => allApps.current?.scrollIntoView({ block: 'nearest' }));
  };
  const hasDay = data.day.kinds.length > 0;
  const [isPlanning, setPlanning] = useState(false);
  const plan = () => setPlanning(true);
  const [sheet, setSheet] = useDroppedSheet();
  const canPlan = hasFeature('activities') && data.menus.some(({ hasChatter }) => hasChatter);
  return (
    <Page
      className="home"
      title={greeting(first ?? user.name)}
      about={<About day={data.day} late={day.late} due={day.dueToday} />}
      tools={apps.length > 0 && <PinnedApps isAllShown={isAllShown} onToggle={toggle} controls={allAppsId} />}
    >
      {data.steps && apps.length === 0 && <FirstSteps steps={data.steps} />}
      {apps.length === 0 && !data.steps && <NoApps isAdmin={user.isAdmin} />}
      {hasDay && (
        <div className="stack gap-4 at-start home-day">
          <DayCard day={day} kinds={data.day.kinds} next={data.day.next} {...(canPlan ? { onPlan: plan } : {})} />
          <div className="stack gap-4 home-side">
            <RecentCard records={data.day.recent} />
            <FollowedCard changes={data.day.followed} seenAt={data.day.seenAt} />
          </div>
        </div>
      )}
      {isAllShown && apps.length > 0 && (
        <section ref={allApps} id={allAppsId} className="stack gap-3 page-section" aria-labelledby="home-apps">
          <h2 className="small dim spaced" id="home-apps">
            {t('All apps')}
          </h2>
          <AllApps />
        </section>
      )}
      {data.steps && apps.length > 0 && <FirstSteps steps={data.steps} />}
      {data.boards.shown !== null && apps.length > 0 && <HomeBoard {...data.boards} />}
      {sheet && <SpreadsheetDialog file={sheet} onClose={() => setSheet(null)} />}
      {isPlanning && (
        <NewActivity
          places={data.menus}
          lastModel={data.day.recent[0]?.model ?? ''}
          onClose={() => setPlanning(false)}
          onSaved={reload}
        />
      )}
    </Page>
  );
}

/** The date, and the number of overdue and due items. */
function About({ day, late, due }: { readonly day: DayData; readonly late: number; readonly due: number }) {
  const { company } = useBootstrap();
  const parts = [
    late > 0 ? tn('{n} late', '{n} late', late) : '',
    due > 0 ? tn('{n} due today', '{n} due today', due) : '',
  ].filter((part) => part !== '');
  return `${longDate(day.today)} · ${parts.length > 0 ? parts.join(', ') : company.name}`;
}

function NoApps({ isAdmin }: { readonly isAdmin: boolean }) {
  if (!isAdmin) {
    return (
      <EmptyState icon="puzzle" title={t('No apps yet')}>
        <p>{t('Ask your administrator for access to an app.')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="puzzle"
      title={t('No apps yet')}
      next={
        <a className="btn btn-primary" href="/web/apps">
          {t('Open the catalogue')}
        </a>
      }
    >
      <p>{t('Install your first app from the catalogue.')}</p>
    </EmptyState>
  );
}

function greeting(name: string): string {
  const clock = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: timeZone() });
  const hour = Number(clock.format());
  if (hour < 5 || hour >= 22) return t('Good to see you, {name}', { name });
  if (hour < 11) return t('Good morning, {name}', { name });
  return hour < 18 ? t('Good day, {name}', { name }) : t('Good evening, {name}', { name });
}

function longDate(day: string): string {
  const format = new Intl.DateTimeFormat(locale(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
