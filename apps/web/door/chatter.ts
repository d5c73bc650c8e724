export {
  type ChatterPage,
  type ChatterProps,
  type DiscussionProps,
  fileHref,
  loadChatter,
  type Outgoing,
  outgoing,
  removeOutgoing,
  resendComment,
  type SentFile,
  sendComment,
  startOutgoing,
  withMentions,
} from '../data/chatter.ts';
export type { Mention } from '../data/unseen-mentions.ts';
export { Discussion } from '../workspace/discussion.tsx';
