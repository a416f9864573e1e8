import type { SpaceSession } from "../../sync/space-session.js";

export type SessionPool = ReturnType<typeof createSessionPool>;

/**
 * Sessions of recently synced spaces, so that their connections can be reused.
 * @param mostIdle unused sessions to keep; above it, the least recently used are closed
 */
export function createSessionPool(mostIdle: number, open: (space: string) => SpaceSession) {
  const places = new Map<string, { session: SpaceSession; users: number; isRetired?: boolean }>();

  async function closeOldest(): Promise<void> {
    const idle = [...places].filter(([, { users }]) => users === 0);
    for (const [space, { session }] of idle.slice(0, Math.max(0, idle.length - mostIdle))) {
      places.delete(space);
      await session.close();
    }
  }

  return {
    async use<T>(space: string, work: (session: SpaceSession) => Promise<T>): Promise<T> {
      const place = places.get(space) ?? { session: open(space), users: 0 };
      places.delete(space);
      places.set(space, place);
      place.users += 1;
      try {
        return await work(place.session);
      } finally {
        place.users -= 1;
        if (place.isRetired && place.users === 0) await place.session.close();
        await closeOldest();
      }
    },
    /** Uses the session of a space no more. Work under way keeps it. */
    async retire(space: string): Promise<void> {
      const place = places.get(space);
      if (place === undefined) return;
      places.delete(space);
      place.isRetired = true;
      if (place.users === 0) await place.session.close();
    },
    async close(): Promise<void> {
      const sessions = [...places.values()].map(({ session }) => session);
      places.clear();
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}
