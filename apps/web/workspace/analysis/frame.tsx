import type { MeasureArch } from '@kontor/protocol';
import type { ReactNode, RefObject } from 'react';
import { showError } from '../../data/changes.ts';
import type { ClientError } from '../../data/client-error.ts';
import { t, tn } from '../../i18n/messages.ts';
import { useScreenCommands } from '../../navigation/screen-commands.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { type MenuEntry, MoreMenu } from '../../ui/menu.tsx';
import { EmptyState, Skeleton } from '../../ui/parts.tsx';
import { openExport } from '../export/open-export.ts';
import { useAddToBoard } from '../use-add-to-board.tsx';
import { EmptyView } from '../view-parts.tsx';
import { WorkspaceBar } from '../workspace-bar.tsx';
import { type CurrencyChoice, convertedText } from './currency.ts';
import { CurrencyPick } from './currency-pick.tsx';
import { downloadSheet } from './download.ts';
import { GroupPicks, MeasurePick, PeriodPicks, Switch, SwitchButton } from './picks.tsx';
import type { Sheet } from './sheet.ts';
import type { Analysis } from './use-analysis.ts';
import './styles.css';

interface AnalysisFrameProps {
  readonly analysis: Analysis;
  /** Null if all currencies are shown at once. */
  readonly currency: CurrencyChoice | null;
  /** The measures of the view's arch. */
  readonly given: readonly MeasureArch[];
  readonly isSingleMeasure?: boolean;
  /** Measures that are shown side by side; the others are offered in addition, unless `refusal` gives a reason. */
  readonly beside?: readonly MeasureArch[];
  readonly refusal?: (measure: MeasureArch) => string | null;
  readonly canCompare?: boolean;
  /** Only sums and counts, whose parts add up to a total. */
  readonly isAdditiveOnly?: boolean;
  /** The maximum number of group levels. */
  readonly mostGroups: number;
  readonly groupsLabel?: string;
  /** Options that only this view has. */
  readonly choices?: ReactNode;
  /** The figures on screen; null if there are none. */
  readonly sheet: Sheet | null;
  /** The chart on screen, for image downloads. */
  readonly drawing?: RefObject<SVGSVGElement | null>;
  /** The view can switch between chart and table. */
  readonly hasTable?: boolean;
  readonly isLoading: boolean;
  readonly isStale?: boolean;
  readonly error: ClientError | null;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** The toolbars of an analytic view, and its loading, empty and error states. */
export function AnalysisFrame(props: AnalysisFrameProps) {
  const { analysis, currency, children, choices, hasTable = false } = props;
  const { workspace, search } = analysis;
  const { listTotal } = workspace;
  const converted = currency && convertedText(analysis, currency);
  const summary = (
    <span className="inline-row gap-1 dim nowrap digits pager">{tn('{n} record', '{n} records', listTotal)}</span>
  );
  return (
    <>
      <WorkspaceBar {...{ workspace, search, summary }} actions={<AnalysisMenu {...props} />} />
      <div
        className="row wrap gap-1h rigid lined pad-y-1h pad-x-4 container bar2"
        role="toolbar"
        aria-label={t('What is shown')}
      >
        <MeasurePick
          analysis={analysis}
          given={props.given}
          isSingle={props.isSingleMeasure ?? false}
          isAdditiveOnly={props.isAdditiveOnly ?? false}
          beside={props.beside ?? []}
          refusal={props.refusal ?? (() => null)}
        />
        {props.mostGroups > 0 && (
          <GroupPicks
            analysis={analysis}
            label={props.groupsLabel ?? t('By')}
            groups={analysis.groupBy.slice(0, props.mostGroups)}
            others={analysis.columns}
            most={props.mostGroups}
            onChange={(groupBy) => analysis.change({ groupBy })}
          />
        )}
        {choices}
        <PeriodPicks analysis={analysis} canCompare={props.canCompare ?? true} />
        {currency && <CurrencyPick analysis={analysis} currency={currency} />}
        {hasTable && <TableSwitch analysis={analysis} />}
      </div>
      {listTotal === 0 ? (
        <EmptyView workspace={workspace} search={search} />
      ) : (
        <div className={`column fill scroll analysis ${props.isStale ? 'is-stale' : ''}`}>
          {converted && <p className="rigid small mut pad-2-4">{converted}</p>}
          <Body {...props}>{children}</Body>
        </div>
      )}
    </>
  );
}

function Body({ analysis, error, isLoading, onRetry, children }: AnalysisFrameProps) {
  const [missing] = analysis.missing;
  if (error && missing !== undefined) {
    return (
      <EmptyState icon="triangle-alert" title={t('This measure cannot be shown')}>
        <p role="alert">{missingText(analysis, missing, error)}</p>
      </EmptyState>
    );
  }
  if (error) {
    return (
      <EmptyState
        icon="triangle-alert"
        title={t('The figures could not be loaded')}
        next={
          <Button kind="primary" icon="rotate-ccw" onClick={onRetry}>
            {t('Try again')}
          </Button>
        }
      >
        <p role="alert">{error.message}</p>
      </EmptyState>
    );
  }
  return isLoading ? <Waiting /> : children;
}

function missingText({ workspace }: Analysis, name: string, { code }: ClientError): string {
  if (code === 'ACCESS_DENIED') return t('This figure is not available to you.');
  const known = workspace.arch.fields.find((field) => field.name === name.split(':', 1)[0]);
  if (!known) return t('This figure no longer exists.');
  return t('{measure} cannot be measured this way.', { measure: known.label });
}

const heights = [42, 58, 71, 63, 80, 92, 55, 48, 78, 84, 60, 36];

/** Placeholder bars, so that nothing jumps. */
function Waiting() {
  return (
    <div className="line share at-end analysis-wait" role="status" aria-busy="true">
      <span className="line share sr-only">{t('Loading')}</span>
      {heights.map((height) => (
        <span className="line share" key={height} style={{ height: `${height}%` }}>
          <Skeleton width="100%" />
        </span>
      ))}
    </div>
  );
}

function TableSwitch({ analysis }: { readonly analysis: Analysis }) {
  const isTable = analysis.option('show') === 'table';
  const show = (what: string) => analysis.change({ options: { show: what } });
  return (
    <span className="push">
      <Switch label={t('Show as')}>
        <SwitchButton isOn={!isTable} onClick={() => show('')}>
          {t('Chart')}
        </SwitchButton>
        <SwitchButton isOn={isTable} onClick={() => show('table')}>
          {t('Table')}
        </SwitchButton>
      </Switch>
    </span>
  );
}

function AnalysisMenu({ analysis, sheet, drawing }: AnalysisFrameProps) {
  const picture = (format: 'svg' | 'png') => () => {
    const svg = drawing?.current;
    if (!svg || !sheet) return;
    const made = import('./picture.ts').then(({ downloadPicture }) => downloadPicture(svg, sheet.title, format));
    whileBusy(made).catch(showError);
  };
  const adding = useAddToBoard(analysis.workspace);
  const isDrawn = drawing !== undefined && analysis.option('show') !== 'table';
  const entries: MenuEntry[] = [
    ...(sheet
      ? ([
          { key: 'csv', label: t('Figures as CSV'), icon: 'download', run: () => downloadSheet(sheet, 'csv') },
          { key: 'xlsx', label: t('Figures as Excel'), icon: 'table-2', run: () => downloadSheet(sheet, 'xlsx') },
        ] satisfies MenuEntry[])
      : []),
    ...(sheet && isDrawn
      ? ([
          { key: 'png', label: t('Image (PNG)'), icon: 'image', run: picture('png') },
          { key: 'svg', label: t('Vector image (SVG)'), icon: 'image', run: picture('svg') },
        ] satisfies MenuEntry[])
      : []),
    ...(analysis.workspace.viewType === 'cohort' ? [] : [adding.entry]),
    { key: 'print', label: t('Print'), icon: 'file-text', run: () => window.print() },
    {
      key: 'export',
      label: t('Export …'),
      icon: 'download',
      section: '',
      run: () => openExport(analysis.workspace, []),
    },
  ];
  useScreenCommands('analysis', entries);
  return (
    <>
      <MoreMenu entries={entries} />
      {adding.dialog}
    </>
  );
}
