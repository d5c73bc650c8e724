import { useEffect } from 'react';
import { retryWorkspace, useWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { parseSearch, refine, toHref, toQuery } from '../search/search-state.ts';
import { useCrumbs } from '../shell/crumbs.ts';
import { ErrorScreen } from '../shell/error-screen.tsx';
import { navigate, usePlace } from '../shell/router.ts';
import { useMenus } from '../shell/use-menus.ts';
import { EmptyState } from '../ui/parts.tsx';
import { currentView } from './current-view.ts';
import { canDraw, viewOf } from './view-lookup.ts';
import { WorkspaceSkeleton } from './workspace-skeleton.tsx';

/** One view with its records: the address decides which. */
export function WorkspaceScreen() {
  const place = usePlace();
  const search = parseSearch(place.query);
  const query = toQuery(search);
  const { payload, error, isLoading, isPartial } = useWorkspace(query);
  const drawable = payload?.viewTabs.find((tab) => canDraw(tab.mode));
  const isDrawn = payload !== null && canDraw(payload.viewType);
  useCrumbs(payload?.breadcrumbs ?? []);
  useMenus(search.menuId || payload?.menuId || '');
  useEffect(() => {
    currentView.set(payload);
    return () => currentView.set(null);
  }, [payload]);
  useEffect(() => {
    if (payload && !isDrawn && drawable)
      void navigate(toHref(refine(search, { viewType: drawable.mode })), { isReplace: true });
  });
  if (!payload) {
    if (!error) return <WorkspaceSkeleton type={search.viewType} />;
    return <ErrorScreen error={error} retry={() => retryWorkspace(query)} />;
  }
  if (!isDrawn) {
    return <EmptyState icon="layers" title={t('This screen cannot be drawn here')} isWhole />;
  }
  const { Component } = viewOf(payload.viewType);
  return <Component workspace={payload} search={search} isLoading={isLoading} isPartial={isPartial} />;
}
