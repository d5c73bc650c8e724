/** The rooms of the client from the ground up: a file imports from its own room and from those before it. */
const rooms = [
  ...['state', 'i18n', 'navigation', 'data', 'ui', 'fields', 'search', 'commands'],
  // What views share, and the door through which they and those of addons reach all of the above.
  ...['workspace', 'door'],
  ...['views', 'addons', 'screens', 'shell'],
];
/** The views from the ground up: one imports from its own folder and from floors before it. */
const viewFloors = [
  ['table'],
  ['calendar', 'cohort', 'gantt', 'graph', 'kanban', 'map', 'pivot'],
  ['board'],
  ['form'],
  ['list'],
];
const home = 'apps/web/';
const door = `${home}door/index.ts`;

/** What is wrong with an import of one file of the client by another; null when nothing is. */
export function clientRoomProblem(file, target) {
  if (!file.startsWith(home) || file.includes('/tests/')) return null;
  const from = floorOf(file);
  const to = floorOf(target);
  if (from === -1) return `${file}: ${roomOf(file)}/ is no room of the client; there are ${rooms.join(', ')}`;
  if (to > from) return `${file}: ${roomOf(file)}/ lies below ${roomOf(target)}/, so it cannot import ${target}`;
  return viewProblem(file, target);
}

/** A view has what authors of addons have: the door. */
function viewProblem(file, target) {
  const own = viewOf(file);
  if (own === null || target === door) return null;
  const other = viewOf(target);
  if (other === null) return `${file}: a view imports what it needs of the client from door/, not ${target}`;
  const [from, to] = [viewFloorOf(own), viewFloorOf(other)];
  if (from === -1) return `${file}: ${own}/ is on no floor of the views`;
  return own === other || to < from
    ? null
    : `${file}: ${own}/ does not lie above ${other}/, so it cannot import ${target}`;
}

/** What is wrong with an import of a package by a view: of ours it has the door alone. */
export function viewPackageProblem(file, name) {
  if (!file.startsWith(home) || viewOf(file) === null || !name.startsWith('@kontor/')) return null;
  return `${file}: a view imports what it needs of ${name} from door/`;
}

/** The folder of a view; null for the list of them, and elsewhere. */
function viewOf(file) {
  const [room, view, inner] = file.slice(home.length).split('/');
  return room === 'views' && inner !== undefined ? view : null;
}

function viewFloorOf(view) {
  return viewFloors.findIndex((floor) => floor.includes(view));
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
