import { definePart } from '@kontor/kernel';
import { sysProposal } from './proposal.ts';

/** What agents do in people's names: marked, and where the key says so only proposed. */
export const agentsPart = definePart({
  name: 'agents',
  models: [sysProposal],
  expires: { clean_changes: [{ model: 'sys.proposal', column: 'create_date', age: '60 days' }] },
});
