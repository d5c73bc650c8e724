/** The rooms of the client from the ground up: a file imports from its own room and from those before it. */
const rooms = [
  'state',
  'i18n',
  'navigation',
  'data',
  'ui',
  'fields',
  'search',
  'commands',
  'views',
  'addons',
  'screens',
  'shell',
];
const home = 'apps/web/';

/** What is wrong with an import of one file of the client by another; null when nothing is. */
export function clientRoomProblem(file, target) {
  if (!file.startsWith(home) || file.includes('/tests/')) return null;
  const from = floorOf(file);
  const to = floorOf(target);
  if (from === -1) return `${file}: ${roomOf(file)}/ is no room of the client; there are ${rooms.join(', ')}`;
  if (to <= from) return null;
  return `${file}: ${roomOf(file)}/ lies below ${roomOf(target)}/, so it cannot import ${target}`;
}

/** Files beside `main.tsx` are above all rooms. */
function floorOf(file) {
  const room = roomOf(file);
  return room === '' ? rooms.length : rooms.indexOf(room);
}

function roomOf(file) {
  const path = file.slice(home.length).split('/');
  return path.length > 1 ? path[0] : '';
}
