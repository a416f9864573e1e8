/** A story in one edition. */
export interface ChangedStory {
  /** Edition name, `published/de`. */
  edition: string;
  uuid: string;
  full_slug: string;
}

/** A story whose slug changed. It is also listed as changed. */
export interface MovedStory extends ChangedStory {
  /** The full slug that it had before. */
  from: string;
}

/** What one sync changed: the body of `changes.json`. */
export interface ContentChanges {
  /** Generation that the changes start from; null when there was none. */
  from: number | null;
  /** Generation that they lead to. */
  to: number;
  added: ChangedStory[];
  changed: ChangedStory[];
  removed: ChangedStory[];
  moved: MovedStory[];
}
