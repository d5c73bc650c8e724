import { useEffect, useMemo } from 'react';
import { currentWorkspace, retryWorkspace, useWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { useCrumbs } from '../navigation/crumbs.ts';
import { navigate, usePlace } from '../navigation/router.ts';
import { parseSearch, refine, toHref, workspaceQuery } from '../search/search-state.ts';
import { ErrorScreen } from '../ui/error-screen.tsx';
import { EmptyState } from '../ui/parts.tsx';
import { canDraw, viewOf } from '../workspace/view-lookup.ts';
import { WorkspaceSkeleton } from '../workspace/workspace-skeleton.tsx';

/** A view with its records, as the URL says. */
export function WorkspaceScreen() {
  const place = usePlace();
  const search = useMemo(() => parseSearch(place.query), [place.query]);
  const query = workspaceQuery(search);
  const { payload, error, isLoading, isPartial } = useWorkspace(query);
  const drawable = payload?.viewTabs.find((tab) => canDraw(tab.mode));
  const isDrawn = payload !== null && canDraw(payload.viewType);
  useCrumbs(payload?.breadcrumbs ?? []);
  useEffect(() => {
    currentWorkspace.set(payload);
    return () => currentWorkspace.set(null);
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
    return <EmptyState icon="layers" title={t('This screen cannot be shown')} isWhole />;
  }
  const { Component } = viewOf(payload.viewType);
  return <Component workspace={payload} search={search} isLoading={isLoading} isPartial={isPartial} />;
}
