import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { whileBusy } from '../../state/idle.ts';
import { hasMixedMoney, type Money, moneyByGroup } from '../money.ts';

type ColumnMoney = ReadonlyMap<string, Money>;
const none: ColumnMoney = new Map();

/** What each column holds of each currency; asked for only where cards are in several. */
export function useColumnMoney(workspace: WorkspacePayload): ColumnMoney {
  const [money, setMoney] = useState<ColumnMoney>(none);
  useEffect(() => {
    const by = workspace.arch.kanban?.groupField;
    if (!by || !hasMixedMoney(workspace)) return setMoney(none);
    let isCurrent = true;
    whileBusy(moneyByGroup(workspace, { domain: workspace.arch.domain ?? [], by })).then(
      (found) => isCurrent && setMoney(found),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [workspace]);
  return money;
}
