export { runCommand } from '../commands/command.ts';
export { loadWorkspace, retryWorkspace, useWorkspace, useWorkspaceFrame } from '../data/workspace.ts';
export { entryOf, expireModel } from '../data/workspace-cache.ts';
export { crumbs, trailFromHere } from '../navigation/crumbs.ts';
export { isTyping } from '../navigation/keys.ts';
export { recallPlace, rememberPlace, usePlaceState } from '../navigation/place-memory.ts';
export { currentPlace, GoProvider, navigate, placeHref, useGo } from '../navigation/router.ts';
export { useScreenCommands } from '../navigation/screen-commands.ts';
export { groupLabel } from '../search/effective-search.ts';
export { groupChoices } from '../search/filter-panel.tsx';
export {
  emptySearch,
  parseSearch,
  refine,
  type SearchState,
  toHref,
  toQuery,
  workspaceQuery,
} from '../search/search-state.ts';
export { isCovered } from '../workspace/planning/use-planning-keys.ts';
