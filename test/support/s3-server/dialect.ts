/** In what servers differ that all say they speak S3. */
export interface Dialect {
  /** Which form of an ETag a condition of a PUT has to have. */
  etagForm: "either" | "quoted" | "unquoted";
  /** What `If-Match` of a key that is not there is answered with. */
  ifMatchOfMissing: 404 | 412;
  /** Whether the conditions of a DELETE are looked at. */
  conditionalDelete: boolean;
  /** Whether the region of a signature has to be the server's. */
  checksRegion: boolean;
  /** Whether what is signed in its query may be of the future. */
  takesFutureQueries: boolean;
  /** Whether the signs `x-amz-checksum-…` are looked at. */
  checksChecksums: boolean;
  /** What `encoding-type=url` makes of a space, and of a slash. */
  listEncoding: { space: "+" | "%20"; slash: "/" | "%2F" };
  /** Whether a 304 names the ETag. */
  tells304Etag: boolean;
}

/** Amazon S3, by its documentation. */
export const aws: Dialect = {
  etagForm: "either",
  ifMatchOfMissing: 404,
  conditionalDelete: true,
  checksRegion: true,
  takesFutureQueries: false,
  checksChecksums: true,
  listEncoding: { space: "+", slash: "/" },
  tells304Etag: true,
};

/** Ceph's gateway, version 16, as it was found to answer. */
export const radosgw: Dialect = {
  etagForm: "unquoted",
  ifMatchOfMissing: 412,
  conditionalDelete: false,
  checksRegion: false,
  takesFutureQueries: true,
  checksChecksums: false,
  listEncoding: { space: "%20", slash: "%2F" },
  tells304Etag: false,
};
