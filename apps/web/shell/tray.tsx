import { ActivityCounter } from './activity-counter.tsx';
import { Notifications } from './notifications.tsx';

/** What waits for the person, in every corner of the product. Not needed for the first frame, so it comes after it. */
export function Tray() {
  return (
    <div className="tray">
      <ActivityCounter />
      <Notifications />
    </div>
  );
}
