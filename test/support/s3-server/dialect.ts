/** Differences between servers that claim to speak S3. */
export interface Dialect {
  /** The form that an ETag in a condition of a PUT must have. */
  etagForm: "either" | "quoted" | "unquoted";
  /** The status for `If-Match` of a missing key. */
  ifMatchOfMissing: 404 | 412;
  /** True if the conditions of a DELETE are checked. */
  conditionalDelete: boolean;
  /** True if the region of a signature must be the server's. */
  checksRegion: boolean;
  /** True if a query signature may be of the future. */
  takesFutureQueries: boolean;
  /** True if the checksums `x-amz-checksum-…` are checked. */
  checksChecksums: boolean;
  /** The encoding of a space and of a slash by `encoding-type=url`. */
  listEncoding: { space: "+" | "%20"; slash: "/" | "%2F" };
  /** True if a 304 contains the ETag. */
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
