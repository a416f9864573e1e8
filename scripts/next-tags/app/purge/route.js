import { revalidateTag } from "next/cache";
import { revalidateRoute } from "offprint/next";

export const POST = revalidateRoute(revalidateTag, process.env.PURGE_TOKEN);
