// Draws of one seeded session: numbers, words, ids and a clock that only runs forward.

const WORDS =
  `amber anchor atlas badge barrel basin beacon birch bridge bucket cabin candle canyon cedar chapel cinder circle
  clover cobalt comet copper coral cradle crater cricket crown dagger delta desert dolphin drift ember engine falcon
  feather fennel ferry field flint forest fossil garnet geyser ginger glacier granite gravel grove hammer harbor
  hazel helmet heron hollow indigo island ivory jasper juniper kernel kettle ladder lagoon lantern lattice lemon
  linen lotus magnet maple marble meadow mirror mortar nectar needle nickel oasis olive onyx orbit orchid otter
  oyster paddle palace panda parcel pebble pepper pillar pilot plume pocket prairie prism pulley quartz quill rabbit
  radar raven ribbon ridge river robin rocket saddle saffron sailor salmon sandal sapphire shadow signal silver
  socket sparrow spiral spruce stable summit sunset tablet talon temple thistle thunder timber topaz trellis tulip
  tunnel turtle valley velvet vessel violet walnut willow window winter yonder zephyr zircon`
    .trim()
    .split(/\s+/);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * @param {() => number} random numbers from 0 up to, but not, 1
 */
export function draw(random) {
  let now = Date.UTC(2026, 2, 4, 9, 12);
  const int = (low, high) => low + Math.floor(random() * (high - low + 1));
  const pick = (list) => list[int(0, list.length - 1)];
  const from = (letters, length) =>
    Array.from({ length }, () => letters[int(0, letters.length - 1)]).join('');
  const hex = (length) => from('0123456789abcdef', length);
  const clock = () => {
    now += int(3, 900);
    return new Date(now).toISOString();
  };
  return {
    chance: (share) => random() < share,
    int,
    pick,
    hex,
    clock,
    /** A clock of the day alone, with milliseconds. */
    hour: () => clock().slice(11, 23),
    letters: (length) => from(LETTERS, length),
    alnum: (length) => from(ALNUM, length),
    upper: (length) => from(ALNUM, length).toUpperCase(),
    digits: (length) => `${int(1, 9)}${from('0123456789', length - 1)}`,
    word: () => pick(WORDS),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join('-'),
    /** A number with a fixed count of decimals. */
    num: (low, high, decimals = 0) => (low + random() * (high - low)).toFixed(decimals),
  };
}
